import { type Pending, saidNotMe } from '../people/pending.ts'
import type { Standing } from '../people/standing.ts'

/** The operator's actions on addresses with signs of a robot. */
export interface Quarantine {
  /**
   * Makes quarantined addresses subscribers, with the time of their sign-up. Those that are not
   * quarantined, or whose owner said that it was not them, stay as they are. Idempotent.
   *
   * @param emails a few hundred at most, as `parseEmail` returns them. @returns which were released.
   * @throws StoreUnavailable
   */
  release(emails: readonly string[]): Promise<string[]>

  /**
   * Erases, as `forgetAll` does, those that are quarantined or have yet to confirm a sign-up with
   * signs. Addresses that signed up without signs meanwhile stay, which is checked in the same
   * transaction. For subscribers who are not held, only the waiting sign-up is erased. Idempotent.
   *
   * @param emails as for `release`. @returns which were erased.
   * @throws StoreUnavailable when not all of them are surely erased.
   */
  erase(emails: readonly string[]): Promise<string[]>
}

/** The names of the signs in a suspicion. */
export function signsIn(suspicion: string | undefined): string[] {
  return (suspicion ?? '').split(',').flatMap((sign) => sign.trim() || [])
}

/** Whether a request has signs, and is not confirmed. */
export function isWaitingWithSigns(pending: Pending | undefined): boolean {
  return pending?.suspicion !== undefined && !pending.confirmedAt
}

/** Whether the owner of a quarantined address was asked since, and said that it was not them. */
export function isDisowned(standing: Standing | undefined, pending: Pending | undefined): boolean {
  return standing === 'quarantined' && !!pending && !pending.confirmedAt && saidNotMe(pending)
}

/**
 * Whether an address on the list is held by a letter, and is forgotten when that letter expires.
 */
export function isHeldByLetter(standing: Standing | undefined, pending: Pending): boolean {
  return standing === 'pending' || isDisowned(standing, pending)
}

export interface HeldForSigns {
  /** Why the address is not mailed, if it is not. */
  readonly standing: Standing | undefined
  readonly isOnList: boolean
  readonly pending: Pending | undefined
  /** The suspicion of each sign-up whose letter has yet to leave. */
  readonly requests: readonly (string | undefined)[]
}

/** What is erased of an address with signs; nothing if another sign-up had none. */
export function toErase(held: HeldForSigns): 'address' | 'request' | undefined {
  const { standing, isOnList, pending, requests } = held
  if (requests.includes(undefined)) return undefined
  if (pending && !pending.suspicion && !pending.confirmedAt) return undefined
  if (standing === 'quarantined') return 'address'
  const isWaiting = pending ? isWaitingWithSigns(pending) : requests.length > 0
  if (!isWaiting) return undefined
  return isOnList && standing !== 'pending' ? 'request' : 'address'
}
