import { parseEmail } from '../../shared/email.ts'
import { mailboxOf } from '../../shared/mailbox.ts'
import type { Standings } from '../../store/standing.ts'
import type { SubscriberList } from '../../store/subscriber-list.ts'
import { type CopiesLeft, copiesLeftInWords } from '../back-up/copies-left.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { localTime } from '../terminal/words.ts'
import { type CountedFirstOptions, countedFirst, untilStopped } from './counted-first.ts'
import { type TimeOptions, timeRange } from './time-range.ts'

export interface ForgetManyOptions extends TimeOptions, CountedFirstOptions {
  /** A pattern of addresses, in which `*` matches any text. */
  readonly matching?: readonly string[]
  /** All addresses of the same mailbox as this one. */
  readonly mailbox?: string
  /** What is known of copies from before, where the store makes its own. */
  readonly copies?: (() => Promise<CopiesLeft>) | undefined
}

/** `forget` of many: first shows and counts who would be forgotten; with that count, it forgets them. */
export async function forgetMany(
  store: SubscriberList & Pick<Standings, 'forgetAll'>,
  options: ForgetManyOptions,
  out: Out,
) {
  const isMeant = selector(options)
  // The end of the range is fixed, so that later sign-ups are not included.
  const range = { until: new Date(), ...timeRange(options) }

  async function* meant() {
    const everybody = store.stream({ ...range, standing: 'all' })
    for await (const one of untilStopped(everybody, options.signal))
      if (isMeant(one.email)) yield one
  }

  const plan = {
    meant,
    shown: ({ email, subscribedAt }: { email: string; subscribedAt: Date }) =>
      `${out.style.dim(localTime(subscribedAt))}  ${email}`,
    async act(some: readonly { email: string }[]) {
      await store.forgetAll(some.map(({ email }) => email))
      return some.length
    },
    ...{ noun: 'subscriber', done: 'forgotten', does: 'forgets' },
    async after() {
      const left = await options.copies?.()
      if (!left) return 'Back-ups and exports from before still have them.'
      return copiesLeftInWords(left, 'them').join(' ')
    },
  }
  return countedFirst(plan, options, out)
}

/** @throws OperatorError for criteria that match everybody or nobody. */
function selector({ matching = [], mailbox, since, until }: ForgetManyOptions) {
  if (matching.length === 0 && mailbox === undefined && since === undefined && until === undefined)
    throw new OperatorError(
      'Name an address, or whom to forget: --since, --until, --matching, --mailbox.',
    )
  const patterns = matching.map(patternOf)
  const email = mailbox === undefined ? undefined : parseEmail(mailbox)
  if (mailbox !== undefined && email === undefined)
    throw new OperatorError(`--mailbox: "${mailbox}" is not an e-mail address.`)
  const box = email && mailboxOf(email)
  return (one: string) =>
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(one))) &&
    (box === undefined || mailboxOf(one) === box)
}

/** @throws OperatorError for a pattern that can match no valid address. */
function patternOf(pattern: string): RegExp {
  if (pattern === '' || pattern.length > 254 || pattern.split('*').length > 5)
    throw new OperatorError(
      `--matching: "${pattern}" must be like *@example.com, with four stars at most`,
    )
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const parts = pattern.toLowerCase().split('*').map(literal)
  return new RegExp(`^${parts.join('.*')}$`, 'su')
}
