import { isTagged } from '../shared/address-folding.ts'
import type { Pending } from '../store/pending.ts'
import { endsAt } from './confirmation-lifetime.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const PAUSE_MS = 15 * MINUTE_MS
const MOST_LETTERS = 3
/** Else a flood of made-up tags would be tried, and looked up, one by one for two weeks. */
const MOST_REFUSED = 10

export interface Room {
  /** Whether it has had enough. */
  readonly isFull: boolean
  /** When it may have the next letter, where that is not now. */
  readonly dueAt?: Date
  /** Whether the day's reserved letter may leave, though it is full or has to wait. */
  readonly isReserved: boolean
}

/**
 * Whether a mailbox may have one letter more at an address: three that nobody answered, one in fifteen
 * minutes. Addresses with a tag and those without are counted apart, since anybody can make up tags:
 * so they never keep the owner of the mailbox from theirs. A refused letter counts for no mailbox, but
 * after ten addresses whose letter was refused it has had enough, too.
 *
 * Where a provider reads several addresses without a tag as one, a stranger can use up their three,
 * too. One letter a day is reserved for such an address, asked for from a network from which this
 * mailbox had none, unless its owner said that it was not them.
 *
 * @param mailbox all that had letters and lead to it. @param network none for the command `ask`.
 */
export function roomIn(
  mailbox: readonly Pending[],
  { email, network }: { readonly email: string; readonly network?: string | undefined },
  now: Date,
): Room {
  const hasTag = isTagged(email)
  const alike = mailbox.filter((one) => isTagged(one.email) === hasTag)
  const open = alike.filter((one) => !one.confirmedAt && endsAt(one) > now)
  const isFull =
    open.reduce((sum, { letters }) => sum + letters, 0) >= MOST_LETTERS ||
    open.filter(({ refusedAt }) => refusedAt).length >= MOST_REFUSED
  const next = latest(alike, 'lastLetterAt') + PAUSE_MS
  const isPaused = now.getTime() < next
  const isNewNetwork = network !== undefined && !open.some((one) => one.networks?.includes(network))
  const isDisowned = open.some(({ noAt, yesAt }) => noAt && !yesAt)
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
  return Math.max(...mailbox.map((one) => Number(one[time] ?? 0)), 0)
}
