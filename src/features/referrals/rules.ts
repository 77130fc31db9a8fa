import { isAddressId } from '../../keys/address-id.ts'
import type { Extra, FeatureRules, Field, SettingReader } from '../../shared/feature-rules.ts'
import { onOrOff } from '../../shared/on-or-off.ts'
import { asTrue, only, reader, storedTime } from '../../shared/stored-json.ts'
import { CODE_PARAMETER } from './parameter.ts'
import settings from './settings.json' with { type: 'json' }

/** That somebody came to the list by the personal link of somebody else. */
export interface Referral {
  /** The address id of who referred them. */
  readonly by: string
  /** When they confirmed. */
  readonly at: Date
  /** Whether their sign-up had signs of a robot. */
  readonly hasSigns: boolean
  /** Whether their address was typed by the links of several. */
  readonly isContested: boolean
}

const stored = reader<Referral>(
  { by: only(isAddressId), at: storedTime },
  { hasSigns: asTrue, isContested: asTrue },
)

/** Who referred an address to the list. */
export function referralIn(extra: Extra | undefined): Referral | undefined {
  const found = stored(extra?.referral)
  return found && { ...found, hasSigns: !!found.hasSigns, isContested: !!found.isContested }
}

const referral: Field<Referral> = {
  term: 'referred by a personal link',
  read: referralIn,
  time: ({ at }) => at,
  named: ({ by }) => by,
  ofRequest: ({ referredBy, suspicion, isContested }, at) =>
    referredBy && {
      by: referredBy,
      at: at.toISOString(),
      ...(suspicion && { hasSigns: true }),
      ...(isContested && { isContested }),
    },
  groups: {
    ...{ name: 'friends', title: 'By who referred them', without: 'nobody' },
    of: () => 'a friend',
  },
}

export const referrals = {
  name: 'referrals',
  settings,
  parsers: { REFERRALS: onOrOff },
  fields: { referral },
  parameter: { name: CODE_PARAMETER, isOne: isAddressId },
  passesOn: ['personalLink'],
  isOn: ({ get }: SettingReader) => get('REFERRALS') === true,
  wrong({ get, isSet }: SettingReader, isHosted: boolean) {
    if (isHosted)
      return 'REFERRALS: is "on", must be off for Firebase, where no server of ours sees a link'
    if (!get('CONFIRM'))
      return 'REFERRALS: is "on", needs CONFIRM=on: only a friend who confirms counts'
    return isSet('PUBLIC_URL')
      ? undefined
      : 'REFERRALS: is "on", needs PUBLIC_URL, where a personal link leads'
  },
} satisfies FeatureRules

/** A day in UTC, such as `2026-11-25`. */
export const referralDay = (at: Date) => at.toISOString().slice(0, 10)

const LET = 'referrals-of-'

/** The field among the data of the owner of a link that lets a held day of it count. */
export const letDay = (day: string): Extra => ({ [LET + day]: 'let' })

/** The days of their link that were let. */
export function letDaysIn(extra: Extra | undefined): string[] {
  return Object.keys(extra ?? {}).flatMap((name) =>
    name.startsWith(LET) ? name.slice(LET.length) : [],
  )
}
