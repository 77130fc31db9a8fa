import type { Answers } from './answers.ts'
import type { CountCheck } from './count-check.ts'
import type { DeskAccess } from './desk-access.ts'
import type { GrowthCounts } from './growth.ts'
import type { Invitations } from './invitations.ts'
import type { ListHolds } from './list-hold.ts'
import type { Openings } from './opening.ts'
import type { People } from './people.ts'
import type { Quarantine } from './quarantine.ts'
import type { Requests } from './requests.ts'
import type { RestoreTarget } from './restore-target.ts'
import type { sqliteEvents } from './sqlite/events.ts'
import type { sqliteLedger } from './sqlite/ledger.ts'
import type { sqliteLock } from './sqlite/lock.ts'
import type { sqliteNotices } from './sqlite/notices.ts'
import type { sqliteRefusals } from './sqlite/refusals.ts'
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
  readonly refusals: ReturnType<typeof sqliteRefusals>
  readonly quarantine: Quarantine
  readonly requests: Requests
  readonly answers: Answers
  readonly ledger: ReturnType<typeof sqliteLedger>
  readonly lock: ReturnType<typeof sqliteLock>
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
export type DeliveryLedger = Store['ledger']
export type RunLock = Store['lock']
export type Refusals = Store['refusals']
