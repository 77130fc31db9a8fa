import { addressIds } from '../../keys/address-id.ts'
import type { Data, InStatus } from '../../shared/report.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import { counted } from '../../terminal/words.ts'
import type { FeatureAct, FeatureParts } from '../feature.ts'
import { readReferrals } from './count-friends.ts'
import { letFriends } from './let-friends.ts'
import { referralFigures, reportOfReferrals } from './report.ts'

const read = ({ store, linkKey }: FeatureParts) => readReferrals(store, addressIds(linkKey).of)

/** Who referred friends, what of that counts, and what is held and why. */
export const report = async (parts: FeatureParts) =>
  reportOfReferrals((await read(parts)).counts, parts.isOn, new Date())

export async function inStatus(parts: FeatureParts): Promise<InStatus> {
  const shown = ['credited', 'links', 'held']
  const { figures } = referralFigures((await read(parts)).counts)
  const act = { code: 'referrals', words: 'Who', command: 'referrals' }
  return {
    figures: figures
      .filter(({ name }) => shown.includes(name))
      .map((one) => ({ ...one, isLead: false, ...(one.name === 'held' && { act }) })),
  }
}

/** Those who referred the most friends that count go first. */
export const order = async (parts: FeatureParts) => (await read(parts)).referred

const LET = 'let-friends'

/** `--let EMAIL --day DAY` */
export function chosen({ let: owner, day }: Data) {
  if (day !== undefined && owner === undefined) throw new Misuse('--day needs --let.')
  return owner === undefined
    ? undefined
    : { code: LET, data: { email: readEmail(String(owner)), day } }
}

export const acts: Readonly<Record<string, FeatureAct>> = {
  [LET]: async (given, { store, linkKey }) => {
    const email = String(given.email)
    const day = given.day === undefined ? undefined : String(given.day)
    const { of } = addressIds(linkKey)
    const { days, friends, isTodayHeld } = await letFriends(store, of, email, day)
    if (days.length === 0)
      throw new OperatorError(
        isTodayHeld
          ? 'Today (in UTC) is not over, and more friends may come. Let them count tomorrow.'
          : `Nothing${day === undefined ? '' : ` of ${day}`} is held for ${email}.`,
      )
    const count = friends === 1 ? 'counts' : 'count'
    return {
      said: `${counted(friends, 'friend')} of ${email} ${count} now, of ${days.join(', ')}.`,
      data: { days, friends },
    }
  },
}
