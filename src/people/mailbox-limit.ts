import { isTagged } from '../shared/address-folding.ts'
import { endsAt } from './confirmation-lifetime.ts'
import { type Pending, saidNotMe } from './pending.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const PAUSE_MS = 15 * MINUTE_MS
const MOST_LETTERS = 3
/** Without this limit, a flood of made-up tags would be tried, and looked up, for two weeks. */
const MOST_REFUSED = 10

export interface MailboxLimit {
  /** Whether it has had enough. */
  readonly isFull: boolean
  /** When it may have the next letter, if not now. */
  readonly dueAt?: Date
  /** Whether the day's reserved letter may leave, though it is full or has to wait. */
  readonly isReserved: boolean
}

/**
 * Whether a mailbox may have one more letter at an address: three unanswered ones at most, and one
 * in fifteen minutes. Addresses with a tag are counted apart from those without, since anybody can
 * make up tags: so these never use up the owner's letters. A refused letter does not count for its
 * mailbox, but after ten addresses with a refused letter the mailbox has had enough, too.
 *
 * Where a provider reads several addresses without a tag as one, a stranger can use up the owner's
 * three, too. So one letter a day is reserved for such an address, if it is asked for from a
 * network that this mailbox had no letter for, unless the owner said that it was not them.
 *
 * @param mailbox all requests of the mailbox that had letters.
 */
export function mailboxLimit(
  mailbox: readonly Pending[],
  { email, network }: { readonly email: string; readonly network?: string | undefined },
  now: Date,
): MailboxLimit {
  const hasTag = isTagged(email)
  const alike = mailbox.filter((one) => isTagged(one.email) === hasTag)
  const open = alike.filter((one) => !one.confirmedAt && endsAt(one) > now)
  const isFull =
    open.reduce((sum, { letters }) => sum + letters, 0) >= MOST_LETTERS ||
    open.filter(({ refusedAt }) => refusedAt).length >= MOST_REFUSED
  const next = latest(alike, 'lastLetterAt') + PAUSE_MS
  const isPaused = now.getTime() < next
  const isNewNetwork = network !== undefined && !open.some((one) => one.networks?.includes(network))
  const isDisowned = open.some(saidNotMe)
  const isReserved =
    (isFull || isPaused) &&
    !hasTag &&
    isNewNetwork &&
    !isDisowned &&
    !alike.some((one) => one.email === email && isPausedAfter(one, now)) &&
    now.getTime() >= latest(alike, 'reservedAt') + DAY_MS
  return { isFull, isReserved, ...(isPaused && { dueAt: new Date(next) }) }
}

/** Whether the last letter to an address left within fifteen minutes. */
export function isPausedAfter({ lastLetterAt }: Pending, now: Date): boolean {
  return lastLetterAt !== undefined && now.getTime() < lastLetterAt.getTime() + PAUSE_MS
}

function latest(mailbox: readonly Pending[], time: 'lastLetterAt' | 'reservedAt'): number {
  return mailbox.reduce((last, one) => Math.max(last, Number(one[time] ?? 0)), 0)
}
