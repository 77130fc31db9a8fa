import type { SqliteStore } from './sqlite/sqlite-store.ts'

/**
 * All stored data, in parts: what the server and the operator's tools use, which `open-store.ts` opens.
 * The first address id that is stored binds the store to the key of its `AddressIds`. With another key it
 * opens, adds and reads, but refuses to store an id.
 */
export type Store = Omit<SqliteStore, 'backups' | 'collecting' | 'open'>

export type Backups = SqliteStore['backups']
export type Collecting = SqliteStore['collecting']
export type Events = Store['events']
export type Notices = Store['notices']
export type Visits = Store['visits']
export type DeliveryLedger = Store['ledger']
export type RunLock = Store['lock']
export type Requests = Store['requests']
export type Refusals = Store['refusals']
export type SubscriberList = Store['list']
export type Standings = Store['standings']
export type GrowthCounts = Store['growth']
export type Openings = Store['opening']
export type DeskAccess = Store['desk']
export type CodeKeys = Store['codeKeys']
export type ListHolds = Store['hold']
