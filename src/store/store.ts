import type { Answers } from './answers.ts'
import type { CountCheck } from './count-check.ts'
import type { DeliveryLedger } from './delivery-ledger.ts'
import type { DeskAccess } from './desk-access.ts'
import type { GrowthCounts } from './growth.ts'
import type { Invitations } from './invitations.ts'
import type { ListHolds } from './list-hold.ts'
import type { Openings } from './opening.ts'
import type { People } from './people.ts'
import type { Quarantine } from './quarantine.ts'
import type { Refusals } from './refusal.ts'
import type { Requests } from './requests.ts'
import type { RestoreTarget } from './restore-target.ts'
import type { RunLock } from './run-lock.ts'
import type { sqliteEvents } from './sqlite/events.ts'
import type { sqliteNotices } from './sqlite/notices.ts'
import type { Standings } from './standings.ts'
import type { SubscriberList } from './subscriber-list.ts'
import type { SignUps } from './subscriber-store.ts'
import type { Visits } from './visits.ts'

/**
 * All stored data, in parts: the port of the server and the operator's tools, which `open-store.ts`
 * opens. The first address id that is stored binds the store to the key of its `AddressIds`.
 * With another key it opens, adds and reads, but refuses to store an id.
 */
export interface Store {
  readonly list: SignUps & SubscriberList
  readonly standings: Standings
  readonly refusals: Refusals
  readonly quarantine: Quarantine
  readonly requests: Requests
  readonly answers: Answers
  readonly ledger: DeliveryLedger
  readonly lock: RunLock
  readonly invitations: Invitations
  readonly opening: Openings
  readonly visits: Visits
  readonly growth: GrowthCounts
  readonly counts: CountCheck
  readonly people: People
  readonly notices: ReturnType<typeof sqliteNotices>
  readonly events: ReturnType<typeof sqliteEvents>
  readonly desk: DeskAccess
  readonly hold: ListHolds
  readonly restore: RestoreTarget

  /** Resolves if a subscriber could be added now. @throws StoreUnavailable with the reason. */
  checkWritable(): Promise<void>

  /** Finishes calls under way and releases everything. */
  close(): Promise<void>
}

export type Events = Store['events']
export type Notices = Store['notices']
