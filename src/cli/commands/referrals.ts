import { letFriends } from '../../audience/let-friends.ts'
import { readReferrals } from '../../audience/read-referrals.ts'
import { addressIds } from '../../keys/address-id.ts'
import { commandLine } from '../../product/command-line.ts'
import { reportOfReferrals } from '../../report/makers/referrals.ts'
import { type Telling, tell } from '../../report/tell.ts'
import type { Store } from '../../store/store.ts'
import type { ListedSubscriber } from '../../store/subscriber-list.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted } from '../../terminal/words.ts'
import { runWithStore, setting } from '../run.ts'

export interface ReferralsOptions extends Telling {
  /** Whose held friends count from now on. */
  readonly let?: string
  /** Only those of this day. */
  readonly day?: string
  readonly linkKey: Buffer
  /** Whether the page shows personal links now. */
  readonly isOn: boolean
}

/** `referrals`: who referred friends, what of that counts, and what is held and why. */
export async function referrals(
  store: Pick<Store, 'list' | 'requests'>,
  options: ReferralsOptions,
  out: Out,
): Promise<number> {
  if (options.day !== undefined && options.let === undefined) throw new Misuse('--day needs --let.')
  if (options.let !== undefined) return letThrough(store, options, options.let, out)
  const counts = await referralCounts(store, options.linkKey)
  return tell(reportOfReferrals(counts, options.isOn, new Date()), options, out)
}

/** The counts alone. @param see as `readReferrals` has it. @throws StoreUnavailable */
export async function referralCounts(
  store: Pick<Store, 'list' | 'requests'>,
  linkKey: Buffer,
  see?: (one: ListedSubscriber) => void,
) {
  return (await readReferrals(store, addressIds(linkKey).of, see)).counts
}

async function letThrough(
  store: Pick<Store, 'list' | 'requests'>,
  { day, json, linkKey }: ReferralsOptions,
  argument: string,
  out: Out,
): Promise<number> {
  const email = readEmail(argument)
  const { days, friends, isTodayHeld } = await letFriends(store, addressIds(linkKey).of, email, day)
  if (days.length === 0 && isTodayHeld)
    throw new OperatorError(
      'Today (in UTC) is not over, and more friends may come. Let them count tomorrow.',
    )
  if (days.length === 0)
    throw new OperatorError(
      `Nothing${day === undefined ? '' : ` of ${day}`} is held for ${email}. To see what is: ${commandLine('referrals')}`,
    )
  if (json) await out.json({ days, friends })
  else
    out.say(
      `${counted(friends, 'friend')} of ${email} ${friends === 1 ? 'counts' : 'count'} now, of ${days.join(', ')}.`,
    )
  return exitCodes.done
}

export const fromCommandLine = (options: Omit<ReferralsOptions, 'linkKey' | 'isOn'>) =>
  runWithStore({ looks: options.let === undefined }, (store, out, { linkKey }) =>
    referrals(store, { ...options, linkKey, isOn: setting('REFERRALS') }, out),
  )
