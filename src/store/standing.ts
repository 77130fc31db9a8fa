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
  /** The reason, such as `550 5.1.1 no such user`, as `cleanDetail` leaves it; or `ANSWERED`. */
  readonly detail?: string | undefined
}

export interface HeardDeparture {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly standing: Departure
  /** By default now. */
  readonly at?: Date | undefined
  readonly detail?: string | undefined
}

/**
 * The standings of addresses, in rows of their own by `addressId`: a row can be found by its
 * address, but does not reveal it. `outranks` decides which of two standings prevails.
 */
export interface Standings {
  /**
   * No announcement reaches this address from now on, not even the rest of a running one.
   * A repeat renews its time; an unknown id resolves in the same way.
   *
   * @param addressId as an unsubscribe link carries it. @throws StoreUnavailable
   */
  unsubscribe(addressId: string): Promise<void>

  /**
   * Keeps that somebody still wants to be told, since now. It lifts no standing, and nothing is kept
   * of an address that is not on the list, or got no letter. An unknown id resolves in the same way.
   *
   * @param addressId as a link of ours carries it. @throws StoreUnavailable
   */
  stayInterested(addressId: string): Promise<void>

  /**
   * Sets the departures of addresses, on the list or not. Idempotent.
   *
   * @param heard a few hundred at most. @returns for each, in order, whether it is in force now.
   * @throws StoreUnavailable
   */
  set(heard: readonly HeardDeparture[]): Promise<boolean[]>

  /**
   * Erases the address everywhere in the store, so that its bytes are in none of the store's files,
   * with all its data, except the mark that it was forgotten. Its deliveries stay as `forgotten`
   * rows without an address.
   *
   * @param email as `parseEmail` returns it; one that was never here is remembered as well.
   * @throws StoreUnavailable
   */
  forget(email: string): Promise<Forgotten>

  /**
   * Erases addresses as `forget` does, at little more than the cost of one.
   *
   * @param emails a few hundred at most. @throws StoreUnavailable when not all of them are surely
   * erased; erasing them again does no harm.
   */
  forgetAll(emails: readonly string[]): Promise<void>

  /**
   * Why an address is not mailed. @returns `undefined` for all others, on the list or not.
   * @throws StoreUnavailable
   */
  of(email: string): Promise<StandingEntry | undefined>
}

export interface Forgotten {
  readonly wasSubscriber: boolean
  /** Whether it had yet to confirm. */
  readonly wasAsked: boolean
  /** How many deliveries lost their address. */
  readonly deliveries: number
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

/** The reason of a `subscribed` that lifts bounces too: a yes from the mailbox, or the operator's word. */
export const ANSWERED = 'answered'

/** Whether a yes that came by letter lifts it: also a bounce, since the mailbox answered. */
export function isLiftedByAnswer(standing: Standing): boolean {
  return standing === 'bounced' || isLiftedBySignUp(standing)
}

/**
 * Whether a new standing replaces the known one. Their order does not matter, so that importing or
 * restoring twice changes nothing.
 * Between a sign-up and a standing that it lifts, the later prevails, and at equal times the one
 * that stops mail. Otherwise the graver prevails, `forgotten` being the gravest, and of two equal
 * ones the later.
 *
 * @param known `subscribed` with the time of the sign-up, for a subscriber.
 */
export function outranks(heard: StandingEntry, known: StandingEntry): boolean {
  if (heard.standing === known.standing) return heard.at > known.at
  if (known.standing === 'subscribed') return !lifts(known, heard) || heard.at >= known.at
  if (heard.standing === 'subscribed') return lifts(heard, known) && heard.at > known.at
  return standings.indexOf(heard.standing) > standings.indexOf(known.standing)
}

const lifts = ({ detail }: StandingEntry, { standing }: StandingEntry) =>
  detail === ANSWERED ? isLiftedByAnswer(standing) : isLiftedBySignUp(standing)

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
