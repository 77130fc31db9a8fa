import type { AddressIds } from '../keys/address-id.ts'
import { domainOf } from '../shared/address-folding.ts'
import type { Brake } from '../shared/held-letters.ts'
import { isPublicProvider } from '../shared/public-providers.ts'
import type { Pending } from './pending.ts'
import { signsIn } from './quarantine.ts'

/** What is counted when a letter is decided: addresses whose last letter left within a day. */
export interface LetterCounts {
  /** Of the network that this one was asked for from; none where that is unknown. */
  readonly network: Answers | undefined
  /** At its domain; none for a public provider. */
  readonly domain: Answers | undefined
  /** Of the last 200 that had an hour to be answered; none while they are fewer. */
  readonly recent: Answers | undefined
  /** Of those asked for since the last release whose hidden field was filled, the unanswered. */
  readonly hidden: number
  /** Whose letter was asked for by then waits for that no more: the operator released them. */
  readonly released: Released
}

export type Released = Readonly<Partial<Record<Brake, Date>>>

export interface Answers {
  readonly answered: number
  readonly unanswered: number
}

const HOUR_MS = 3_600_000
export const RECENT_LETTERS = 200

/** By what letters to a domain are counted; none for a public provider, whose people have nothing in common. */
export function domainIdOf(email: string, addressIds: AddressIds): string | undefined {
  const domain = domainOf(email)
  return isPublicProvider(domain) ? undefined : addressIds.of(domain)
}

/** Between which times a letter left that is counted, and one that had time to be answered. */
export function countedTimes(now: Date): { readonly from: Date; readonly settled: Date } {
  return {
    from: new Date(now.getTime() - 24 * HOUR_MS),
    settled: new Date(now.getTime() - HOUR_MS),
  }
}

export const hasHiddenField = (suspicion: string | undefined): boolean =>
  signsIn(suspicion).includes('hidden-field')

/** Who goes first: 0 is ahead of 1, a crowd, and 1 ahead of 2, programs that filled the hidden field. */
export function placeInLine(suspicion: string | undefined, isCrowd: boolean): 0 | 1 | 2 {
  if (hasHiddenField(suspicion)) return 2
  return isCrowd || suspicion !== undefined ? 1 : 0
}

/** When the last letter left or was refused; nothing for those on the list, who are asked by hand. */
export function letterAtOf({ listedAt, lastLetterAt, refusedAt }: Pending): Date | undefined {
  if (listedAt) return undefined
  if (!lastLetterAt || !refusedAt) return lastLetterAt ?? refusedAt
  return lastLetterAt > refusedAt ? lastLetterAt : refusedAt
}
