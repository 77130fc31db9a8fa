/** Where an address stands. Without an entry of its own, a subscriber is `subscribed`. */
export const standings = [
  'subscribed',
  'unsubscribed',
  'bounced',
  'complained',
  'forgotten',
] as const

export type Standing = (typeof standings)[number]

/** The standings that a command, a file or a mail provider can set. */
export type Departure = Exclude<Standing, 'subscribed' | 'forgotten'>

export interface StandingEntry {
  readonly standing: Standing
  /** Since when. */
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
 * The standings of addresses, in rows of their own, by `addressId`: from an address its row can be
 * found, but not the address from a row. `outranks` decides which of two standings prevails.
 */
export interface Standings {
  /**
   * No announcement reaches this address from now on, not even the rest of a running one.
   * A repeat renews its time. An unknown id resolves in the same way.
   *
   * @param addressId as an unsubscribe link carries it. @throws StoreUnavailable
   */
  unsubscribe(addressId: string): Promise<void>

  /**
   * Sets standings of addresses, whether they are on the list or not. Idempotent.
   *
   * @param heard a few hundred at most. @returns for each, in order, whether it holds now.
   * @throws StoreUnavailable
   */
  setStanding(heard: readonly HeardDeparture[]): Promise<boolean[]>

  /**
   * Erases the address everywhere in the store, so that its bytes are in none of the store's files.
   * Only its keyed hash stays, as `forgotten`. Its deliveries stay as `forgotten` rows with random
   * ids.
   *
   * @param email as `parseEmail` returns it; one that was never here is remembered as well.
   * @throws StoreUnavailable
   */
  forget(email: string): Promise<Forgotten>

  /**
   * Why an address is not written to. @returns `undefined` for everybody else, on the list or not.
   * @throws StoreUnavailable
   */
  standing(email: string): Promise<StandingEntry | undefined>
}

export interface Forgotten {
  readonly wasSubscriber: boolean
  /** How many deliveries lost their address. */
  readonly deliveries: number
}

/** Whether an address with this standing may be mailed. */
export function mayBeWrittenTo(standing: Standing): boolean {
  return standing === 'subscribed'
}

/** Whether a sign-up lifts it: true for a wish of the owner, not for a report of a server. */
export function isLiftedBySignUp(standing: Standing): boolean {
  return standing === 'unsubscribed' || standing === 'forgotten'
}

/**
 * Whether a new standing replaces the known one; decision 070 has the reasons. Between a sign-up
 * and a standing that it lifts, the later one prevails; at equal times the address is not mailed.
 * Otherwise the more severe one prevails, `forgotten` being the most severe, and of two equal ones
 * the later.
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
