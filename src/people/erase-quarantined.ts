import { type PendingData, saidNotMe } from './pending.ts'
import { isOnList, type Person, standingOf } from './person.ts'

/** Whether a request has signs, and is not confirmed. */
export function isWaitingWithSigns(pending: PendingData | undefined): boolean {
  return pending?.suspicion !== undefined && !pending.confirmedAt
}

/** Whether the owner of a quarantined address was asked since, and said that it was not them. */
export function isDisowned(one: Person): boolean {
  const { pending } = one
  return (
    standingOf(one) === 'quarantined' && !!pending && !pending.confirmedAt && saidNotMe(pending)
  )
}

/**
 * Whether an address on the list is held by a letter, and is forgotten when that letter expires.
 */
export const isHeldByLetter = (one: Person): boolean =>
  standingOf(one) === 'pending' || isDisowned(one)

/** What is erased of an address with signs; nothing if another sign-up had none. */
export function toErase(one: Person): 'address' | 'request' | undefined {
  const { request, pending } = one
  const standing = standingOf(one)
  if (request && request.suspicion === undefined) return undefined
  if (pending && !pending.suspicion && !pending.confirmedAt) return undefined
  if (standing === 'quarantined') return 'address'
  const isWaiting = pending ? isWaitingWithSigns(pending) : request !== undefined
  if (!isWaiting) return undefined
  return isOnList(one) && standing !== 'pending' ? 'request' : 'address'
}
