import { isAddressId } from '../keys/address-id.ts'
import { asTrue, only, reader, storedTime } from '../shared/stored-json.ts'
import type { Extra } from './extra.ts'
import type { Pending } from './pending.ts'

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

const fieldsIn = reader<Referral>(
  { by: only(isAddressId), at: storedTime },
  { hasSigns: asTrue, isContested: asTrue },
)

/** Who referred an address to the list, kept among its `Extra`. */
export function referralIn(extra: Extra | undefined): Referral | undefined {
  const found = fieldsIn(extra?.referral)
  return found && { ...found, hasSigns: !!found.hasSigns, isContested: !!found.isContested }
}

/** The field that `referralIn` reads, of somebody who confirms. */
export function referralOf({ referredBy, suspicion, isContested }: Pending, at: Date): Extra {
  if (referredBy === undefined) return {}
  const doubts = { ...(suspicion && { hasSigns: true }), ...(isContested && { isContested }) }
  return { referral: { by: referredBy, at: at.toISOString(), ...doubts } }
}

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
