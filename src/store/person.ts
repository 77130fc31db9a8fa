import { addressIds } from '../keys/address-id.ts'
import type { Source } from '../shared/source.ts'
import type { Delivery } from './delivery-ledger.ts'
import type { Invitation } from './invitations.ts'
import type { Consent, Pending } from './pending.ts'
import type { StandingEntry } from './standing.ts'
import type { Store } from './store.ts'

/** All that is known of an address: what `find`, `consent` and the desk show. */
export interface Person {
  readonly email: string
  readonly addressId: string
  /** Left out for somebody who is not on the list. */
  readonly subscribedAt?: Date | undefined
  /** Why the address is not written to, if it is not. */
  readonly standing?: StandingEntry | undefined
  readonly source?: Source | undefined
  /** That of the letters to it, as far as it is known. */
  readonly language?: string | undefined
  /** The receipt of whoever confirmed. */
  readonly consent?: Consent | undefined
  /** What came of the last question, for some days after it. */
  readonly pending?: Pending | undefined
  /** What the address was told, newest first. */
  readonly deliveries: readonly Delivery[]
  /** Those that let the address in, oldest first. */
  readonly invitations: readonly Invitation[]
}

type PersonStore = Pick<
  Store,
  'list' | 'standings' | 'visits' | 'outbox' | 'ledger' | 'invitations'
>

/** @param email as `parseEmail` returns it. @throws StoreUnavailable */
export async function personOf(
  store: PersonStore,
  email: string,
  linkKey: Buffer,
): Promise<Person> {
  const addressId = addressIds(linkKey).of(email)
  const [subscriber, standing, source, { consent, language, pending }, deliveries, invitations] =
    await Promise.all([
      store.list.find(email),
      store.standings.of(email),
      store.visits.sourceOf(email),
      store.outbox.changePending(addressId, (result) => ({ result })),
      store.ledger.deliveriesTo(email),
      store.invitations.to(addressId),
    ])
  const { subscribedAt } = subscriber ?? {}
  return {
    email,
    addressId,
    subscribedAt,
    standing,
    source,
    language,
    consent,
    pending,
    deliveries,
    invitations,
  }
}

/** What waits for an answer: somebody was asked, and has not confirmed. */
export function askedOf({ pending }: Pick<Person, 'pending'>): Pending | undefined {
  return pending?.confirmedAt ? undefined : pending
}
