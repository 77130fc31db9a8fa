import type { AddressIds } from '../keys/address-id.ts'
import { domainOf } from '../shared/address-folding.ts'
import type { Brake } from '../shared/held-letters.ts'
import { isPublicProvider } from '../shared/public-providers.ts'
import type { PendingData } from './pending.ts'

/** The counts by which a letter is decided: of addresses whose last letter left within a day. */
export interface LetterCounts {
  /** Of the network that asked for this letter; none where it is unknown. */
  readonly network: Answers | undefined
  /** Of its domain; none for a public provider. */
  readonly domain: Answers | undefined
  /** Of the last 200 that had an hour to be answered; none while they are fewer. */
  readonly recent: Answers | undefined
  /** The unanswered with a filled hidden field, of those asked for since the last release; as many as decide. */
  readonly hidden: number
  /** Letters that were asked for before these times are released by the operator. */
  readonly released: Released
}

export type Released = Readonly<Partial<Record<Brake, Date>>>

export interface Answers {
  readonly answered: number
  /** As many as decide. */
  readonly unanswered: number
}

const HOUR_MS = 3_600_000
export const RECENT_LETTERS = 200

/**
 * The id by which letters to a domain are counted; none for a public provider, whose users are
 * unrelated.
 */
export function domainIdOf(email: string, addressIds: AddressIds): string | undefined {
  const domain = domainOf(email)
  return isPublicProvider(domain) ? undefined : addressIds.of(domain)
}

/**
 * Letters are counted that left after `from`; those that left before `settled` had time to be
 * answered.
 */
export function countedTimes(now: Date): { readonly from: Date; readonly settled: Date } {
  return {
    from: new Date(now.getTime() - 24 * HOUR_MS),
    settled: new Date(now.getTime() - HOUR_MS),
  }
}

/** When the last letter left or was refused. */
export function letterAtOf({ lastLetterAt, refusedAt }: PendingData): Date | undefined {
  if (!lastLetterAt || !refusedAt) return lastLetterAt ?? refusedAt
  return lastLetterAt > refusedAt ? lastLetterAt : refusedAt
}
