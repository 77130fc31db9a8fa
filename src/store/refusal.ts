/**
 * What a mail server's refusal of a letter is about: `gone`, that there is no such mailbox or domain;
 * `full`, a mailbox that takes nothing now; `other`, the sender, the message, the route or a policy.
 */
export type Refusal = 'gone' | 'full' | 'other'

export interface HeardRefusal {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly refusal: Refusal
  /** By default now. */
  readonly at?: Date | undefined
  readonly detail?: string | undefined
  /** The same whenever this report is read. */
  readonly report: string
}

export const KEPT_MS = 14 * 86_400_000

const FULL_REPORTS = 3

/** Whether a mailbox was full at three reports within two weeks, in any order. */
export function isFullForGood(reports: readonly Date[]): boolean {
  const times = reports.map(Number).toSorted((a, b) => a - b)
  return times.some((from, i) => (times[i + FULL_REPORTS - 1] ?? Infinity) - from <= KEPT_MS)
}

/** Fewer are too few to blame their provider. */
export const MANY = 20

/**
 * Whether a provider refused so many that it is an alarm. Amazon SES stops an account at 10 % of
 * bounces (docs.aws.amazon.com, "Bounce rate"): no list that was asked has so many dead mailboxes.
 *
 * @param of how many of the list are there.
 */
export function areMany(people: number, of: number): boolean {
  return people >= MANY && people >= of / 10
}
