import { addressIds } from '../keys/address-id.ts'
import { type KnownFields, knownFields } from '../people/known-fields.ts'
import type { Pending } from '../people/pending.ts'
import {
  extraOf,
  isOnList,
  pageTimeOf,
  pendingOf,
  sourceOf,
  subscribedAtOf,
  whyNotMailed,
} from '../people/person.ts'
import type { StandingEntry } from '../people/standing.ts'
import type { Source } from '../shared/source.ts'
import type { Delivery } from './delivery-ledger.ts'
import type { Store } from './store.ts'

/** All data of an address, as `find` and the desk show it. */
export interface Person extends KnownFields {
  readonly email: string
  readonly addressId: string
  /** Left out for an address that is not on the list. */
  readonly subscribedAt?: Date | undefined
  /** Whether they came by an import, and never signed up at the page. */
  readonly isImported: boolean
  /** Why the address is not mailed, if it is not. */
  readonly standing?: StandingEntry | undefined
  readonly source?: Source | undefined
  /** The last request to confirm, for some days after it. */
  readonly pending?: Pending | undefined
  /** The deliveries to the address, newest first. */
  readonly deliveries: readonly Delivery[]
}

/** @param email as `parseEmail` returns it. @throws StoreUnavailable */
export async function personOf(
  store: Pick<Store, 'people' | 'ledger'>,
  email: string,
  linkKey: Buffer,
): Promise<Person> {
  const addressId = addressIds(linkKey).of(email)
  const [one, deliveries] = await Promise.all([
    store.people.of(addressId),
    store.ledger.deliveriesTo(email),
  ])
  return {
    ...knownFields(extraOf(one)),
    ...{ email, addressId, deliveries },
    subscribedAt: subscribedAtOf(one),
    isImported: isOnList(one) && !pageTimeOf(one),
    standing: whyNotMailed(one),
    source: sourceOf(one),
    pending: pendingOf(one),
  }
}

/** The request that waits for an answer: asked, and not confirmed. */
export function askedOf({ pending }: Pick<Person, 'pending'>): Pending | undefined {
  return pending?.confirmedAt ? undefined : pending
}
