/**
 * The standings of an address, the gravest last. A subscriber without an entry is `subscribed`. A
 * bounce takes the place of no other, since it may be taken back.
 */
export const standings = [
  'subscribed',
  'bounced',
  /** Confirmed, and taken back: on the list, but not mailed until it is confirmed again. */
  'pending',
  /** Came with signs of a robot, and was neither released nor confirmed since. */
  'quarantined',
  'unsubscribed',
  'complained',
  'forgotten',
] as const

export type Standing = (typeof standings)[number]

/** A standing that a command, a file or a mail provider can set. */
export type Departure = Exclude<Standing, 'subscribed' | 'pending' | 'quarantined' | 'forgotten'>

export interface StandingEntry {
  readonly standing: Standing
  /** Since when. */
  readonly at: Date
  /** The reason, such as `550 5.1.1 no such user`, as `cleanDetail` leaves it. */
  readonly detail?: string | undefined
}

/** Whether an announcement may reach addresses of this standing. */
export function mayBeWrittenTo(standing: Standing): boolean {
  return standing === 'subscribed'
}

const liftedBySignUp: readonly Standing[] = ['pending', 'quarantined', 'unsubscribed', 'forgotten']

/**
 * Whether the next sign-up on the page lifts it: standings by the owner's acts or by signs of a
 * robot are lifted, those by a mail server are not.
 */
export function isLiftedBySignUp(standing: Standing): boolean {
  return liftedBySignUp.includes(standing)
}

/** Whether a yes that came by letter lifts it: also a bounce, since the mailbox answered. */
export function isLiftedByAnswer(standing: Standing): boolean {
  return standing === 'bounced' || isLiftedBySignUp(standing)
}

const MOST_DETAIL = 200

/** A reason that may be stored: one line without addresses, control or format characters. */
export function cleanDetail(text: string | undefined): string | undefined {
  const line = text
    ?.slice(0, 20 * MOST_DETAIL)
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .split(' ')
    .map((word) => (word.includes('@') ? '…' : word))
    .join(' ')
    .trim()
  return line ? [...line].slice(0, MOST_DETAIL).join('') : undefined
}
