import type { Store } from '../../store/store.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { localTime } from '../../terminal/words.ts'
import type { CopiesLeft } from '../../upkeep/back-up/copies-left.ts'
import { copiesLeftInWords } from '../words/back-ups.ts'
import { type AddressOptions, addressesMeant } from './addresses-meant.ts'
import { type CountedFirstOptions, countedFirst, untilStopped } from './counted-first.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

export interface ForgetManyOptions extends TimeOptions, AddressOptions, CountedFirstOptions {
  /** What is known of earlier copies. */
  readonly copies?: (() => Promise<CopiesLeft>) | undefined
}

/**
 * `forget` of many: first shows and counts who would be forgotten; with that count, it forgets them.
 *
 * @throws OperatorError for criteria that match everybody or nobody.
 */
export async function forgetMany(
  store: Pick<Store, 'list' | 'standings'>,
  options: ForgetManyOptions,
  out: Out,
) {
  const { matching = [], mailbox, since, until } = options
  if (matching.length === 0 && [mailbox, since, until].every((one) => one === undefined))
    throw new Misuse('Name an address, or describe many: --since, --until, --matching, --mailbox.')
  const isMeant = addressesMeant(options)
  // The end of the range is fixed, so that later sign-ups are not included.
  const range = { until: new Date(), ...timeRange(options) }

  async function* meant() {
    const everybody = store.list.stream({ ...range, standing: 'all' })
    for await (const one of untilStopped(everybody, options.signal))
      if (isMeant(one.email)) yield one
  }

  const plan = {
    meant,
    shown: ({ email, subscribedAt }: { email: string; subscribedAt: Date }) =>
      `${out.style.dim(localTime(subscribedAt))}  ${email}`,
    async act(some: readonly { email: string }[]) {
      await store.standings.forgetAll(some.map(({ email }) => email))
      return some.length
    },
    noun: 'subscriber',
    done: 'forgotten',
    does: 'forgets',
    after: () => whereTheyAre(options.copies),
  }
  return countedFirst(plan, options, out)
}

/** Which copies still have those who were just forgotten. */
export async function whereTheyAre(copies: ForgetManyOptions['copies']): Promise<string> {
  const left = await copies?.()
  if (!left) return 'Earlier back-ups and exports may still have them.'
  return copiesLeftInWords(left, 'them').join(' ')
}
