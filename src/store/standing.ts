/** Where an address stands. Without an entry of its own, a subscriber is `subscribed`. */
export const standings = [
  'subscribed',
  /** Confirmed, and taken back: on the list, and not written to until it is confirmed again. */
  'pending',
  /** Came with signs of a robot, and nobody has said otherwise since. */
  'quarantined',
  'unsubscribed',
  'bounced',
  'complained',
  'forgotten',
] as const

export type Standing = (typeof standings)[number]

/** What can be heard of an address from elsewhere: a command, a file, a mail provider. */
export type Departure = Exclude<Standing, 'subscribed' | 'pending' | 'quarantined' | 'forgotten'>

export interface StandingEntry {
  readonly standing: Standing
  /** When it came to be so. */
  readonly at: Date
  /** The reason, such as `550 5.1.1 no such user`, as `cleanDetail` leaves it. */
  readonly detail?: string | undefined
}

export interface HeardDeparture {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly standing: Departure
  /** Now, where it is not given. */
  readonly at?: Date | undefined
  readonly detail?: string | undefined
}

/**
 * What is known of addresses beyond the list, in rows of their own, by `addressId`: a row can tell
 * that it is of an address, not which address it is of. `outranks` says which of two prevails.
 */
export interface Standings {
  /**
   * No announcement reaches this address from now on, not even the rest of a running one.
   * A repeat renews its time; the id of nobody we know resolves alike.
   *
   * @param addressId as an unsubscribe link carries it. @throws StoreUnavailable
   */
  unsubscribe(addressId: string): Promise<void>

  /**
   * Takes over what was heard of addresses, whether they are on the list or not. Idempotent.
   *
   * @param heard a few hundred at most. @returns for each, in order, whether it holds now.
   * @throws StoreUnavailable
   */
  set(heard: readonly HeardDeparture[]): Promise<boolean[]>

  /**
   * Erases the address everywhere in the store, so that its bytes are in none of the store's files,
   * and all that was known of it but that it was forgotten. Its deliveries stay as `forgotten` rows
   * that lead to nobody.
   *
   * @param email as `parseEmail` returns it; one that was never here is remembered as well.
   * @throws StoreUnavailable
   */
  forget(email: string): Promise<Forgotten>

  /**
   * Erases addresses as `forget` does. Where that costs much for one, it costs little more for all.
   *
   * @param emails a few hundred at most. @throws StoreUnavailable when not all of them are erased
   * for certain; to erase them again does no harm.
   */
  forgetAll(emails: readonly string[]): Promise<void>

  /**
   * Why an address is not written to. @returns `undefined` for everybody else, on the list or not.
   * @throws StoreUnavailable
   */
  of(email: string): Promise<StandingEntry | undefined>
}

export interface Forgotten {
  readonly wasSubscriber: boolean
  /** How many deliveries lost their address. */
  readonly deliveries: number
}

/** Whether an announcement may reach whoever stands so. */
export function mayBeWrittenTo(standing: Standing): boolean {
  return standing === 'subscribed'
}

const liftedBySignUp: readonly Standing[] = ['pending', 'quarantined', 'unsubscribed', 'forgotten']

/**
 * Whether the next sign-up on the page lifts it: what its owner said or seemed to be, not what a
 * server said.
 */
export function isLiftedBySignUp(standing: Standing): boolean {
  return liftedBySignUp.includes(standing)
}

/**
 * Whether what is heard takes the place of what is known; decision 070 has the reasons.
 * A sign-up and what it lifts go by their times, and of equal times silence wins. Otherwise the
 * graver stays, `forgotten` being the gravest, and of two alike the later.
 *
 * @param known `subscribed` for whoever signed up, at that time.
 */
export function outranks(heard: StandingEntry, known: StandingEntry): boolean {
  if (heard.standing === known.standing) return heard.at > known.at
  if (known.standing === 'subscribed')
    return !isLiftedBySignUp(heard.standing) || heard.at >= known.at
  if (heard.standing === 'subscribed')
    return isLiftedBySignUp(known.standing) && heard.at > known.at
  return standings.indexOf(heard.standing) > standings.indexOf(known.standing)
}

const MOST_DETAIL = 200

/** A reason as it may be kept: one line without addresses, control or format characters. */
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
