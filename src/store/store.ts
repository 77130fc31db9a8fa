import type { DeliveryLedger } from './delivery-ledger.ts'
import type { DeskAccess } from './desk-access.ts'
import type { GrowthCounts } from './growth.ts'
import type { Invitations } from './invitations.ts'
import type { ListHolds } from './list-hold.ts'
import type { Notices } from './notices.ts'
import type { Openings } from './opening.ts'
import type { Outbox } from './outbox.ts'
import type { People } from './people.ts'
import type { Quarantine } from './quarantine.ts'
import type { RestoreTarget } from './restore-target.ts'
import type { RunLock } from './run-lock.ts'
import type { Standings } from './standing.ts'
import type { SubscriberList } from './subscriber-list.ts'
import type { SignUps } from './subscriber-store.ts'
import type { UnreadableRows } from './unreadable.ts'
import type { Visits } from './visits.ts'

/**
 * All that is kept, in parts: the port that server and operator know. `open-store.ts` picks the adapter.
 * An adapter is bound to the key of its `AddressIds` by the first address id that it keeps. With
 * another key it opens, adds and reads, but refuses whatever would keep an id.
 */
export interface Store {
  readonly list: SignUps & SubscriberList
  readonly standings: Standings
  readonly quarantine: Quarantine
  readonly outbox: Outbox
  readonly ledger: DeliveryLedger
  readonly lock: RunLock
  readonly invitations: Invitations
  readonly opening: Openings
  readonly visits: Visits
  readonly growth: GrowthCounts
  readonly people: People
  readonly notices: Notices
  readonly desk: DeskAccess
  readonly hold: ListHolds
  readonly unreadable: UnreadableRows
  readonly restore: RestoreTarget

  /** Resolves if a subscriber could be added now. @throws StoreUnavailable with the reason. */
  checkWritable(): Promise<void>

  /** Finishes what is under way and lets go of everything. */
  close(): Promise<void>
}
