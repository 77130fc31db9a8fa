import { addressIds } from '../../keys/address-id.ts'
import type { Source } from '../../shared/source.ts'
import type { Delivery } from '../../store/delivery-ledger.ts'
import type { Invitation } from '../../store/invitations.ts'
import type { Consent, Pending } from '../../store/pending.ts'
import type { StandingEntry } from '../../store/standing.ts'
import type { Store } from '../../store/store.ts'

/** All that is known of an address: what `find`, `consent` and the desk show. */
export interface Person {
  readonly email: string
  readonly addressId: string
  /** Left out for somebody who is not on the list. */
  readonly subscribedAt?: Date | undefined
  /** Why the address is not written to, if it is not. */
  readonly standing?: StandingEntry | undefined
  readonly source?: Source | undefined
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
  'find' | 'standing' | 'sourceOf' | 'changePending' | 'deliveriesTo' | 'invitationsTo'
>

/** @param email as `parseEmail` returns it. @throws StoreUnavailable */
export async function personOf(
  store: PersonStore,
  email: string,
  linkKey: Buffer,
): Promise<Person> {
  const addressId = addressIds(linkKey).of(email)
  const [subscriber, standing, source, { consent, pending }, deliveries, invitations] =
    await Promise.all([
      store.find(email),
      store.standing(email),
      store.sourceOf(email),
      store.changePending(addressId, (result) => ({ result })),
      store.deliveriesTo(email),
      store.invitationsTo(addressId),
    ])
  const { subscribedAt } = subscriber ?? {}
  return {
    email,
    addressId,
    subscribedAt,
    standing,
    source,
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
