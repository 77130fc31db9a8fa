import type { TakingIn } from './arrival.ts'
import type { Requests } from './requests.ts'
import type { sqliteBackups } from './sqlite/backups.ts'
import type { sqliteWatch } from './sqlite/commit-watch.ts'
import type { sqliteCountCheck } from './sqlite/count-check.ts'
import type { sqliteDeskAccess } from './sqlite/desk-access.ts'
import type { sqliteEvents } from './sqlite/events.ts'
import type { sqliteGrowth } from './sqlite/growth.ts'
import type { sqliteInvitations } from './sqlite/invitations.ts'
import type { sqliteLedger } from './sqlite/ledger.ts'
import type { sqliteList } from './sqlite/list.ts'
import type { sqliteListHold } from './sqlite/list-hold.ts'
import type { sqliteLock } from './sqlite/lock.ts'
import type { sqliteRestore } from './sqlite/merge-copy.ts'
import type { sqliteNotices } from './sqlite/notices.ts'
import type { sqliteOpening } from './sqlite/opening.ts'
import type { sqlitePeople } from './sqlite/people.ts'
import type { sqliteQuarantine } from './sqlite/quarantine.ts'
import type { sqliteRefusals } from './sqlite/refusals.ts'
import type { sqliteSignUps } from './sqlite/sign-ups.ts'
import type { sqliteStandings } from './sqlite/standings.ts'
import type { sqliteVisits } from './sqlite/visits.ts'
import type { SignUps } from './subscriber-store.ts'

/**
 * All stored data, in parts: the port of the server and the operator's tools, which `open-store.ts`
 * opens. The first address id that is stored binds the store to the key of its `AddressIds`.
 * With another key it opens, adds and reads, but refuses to store an id.
 */
export interface Store {
  readonly list: SignUps & ReturnType<typeof sqliteList>
  readonly standings: ReturnType<typeof sqliteStandings>
  readonly refusals: ReturnType<typeof sqliteRefusals>
  readonly quarantine: ReturnType<typeof sqliteQuarantine>
  readonly requests: Requests
  readonly answers: ReturnType<typeof sqliteSignUps>['answers']
  readonly inbox: TakingIn
  readonly ledger: ReturnType<typeof sqliteLedger>
  readonly lock: ReturnType<typeof sqliteLock>
  readonly invitations: ReturnType<typeof sqliteInvitations>
  readonly opening: ReturnType<typeof sqliteOpening>
  readonly visits: Omit<ReturnType<typeof sqliteVisits>, 'restore'>
  readonly growth: ReturnType<typeof sqliteGrowth> & ReturnType<typeof sqliteWatch>
  readonly counts: ReturnType<typeof sqliteCountCheck>
  readonly people: ReturnType<typeof sqlitePeople>
  readonly notices: ReturnType<typeof sqliteNotices>
  readonly events: ReturnType<typeof sqliteEvents>
  readonly desk: ReturnType<typeof sqliteDeskAccess>
  readonly hold: ReturnType<typeof sqliteListHold>
  readonly restore: ReturnType<typeof sqliteRestore>

  /** Resolves if a subscriber could be added now. @throws StoreUnavailable with the reason. */
  checkWritable(): Promise<void>

  /** Finishes calls under way and releases everything. */
  close(): Promise<void>
}

export type Backups = ReturnType<typeof sqliteBackups>
export type Events = Store['events']
export type Notices = Store['notices']
export type Visits = Store['visits']
export type DeliveryLedger = Store['ledger']
export type RunLock = Store['lock']
export type Refusals = Store['refusals']
export type SubscriberList = Store['list']
export type Standings = Store['standings']
export type GrowthCounts = Store['growth']
export type Openings = Store['opening']
export type DeskAccess = Store['desk']
export type Invitations = Store['invitations']
export type ListHolds = Store['hold']
