import { existsSync } from 'node:fs'
import type { AddressIds } from '../../keys/address-id.ts'
import { sqliteSignUps } from './append-sign-ups.ts'
import { sqliteBackups } from './backups.ts'
import { sqliteWatch } from './commit-watch.ts'
import { sqliteCountCheck } from './count-check.ts'
import { sqliteDatabase } from './database.ts'
import { sqliteDeskAccess } from './desk-access.ts'
import { sqliteEvents } from './events.ts'
import { sqliteFile } from './file.ts'
import { sqliteGrowth } from './growth.ts'
import { sqliteCollecting } from './inbox.ts'
import { sqliteInvitations } from './invitations.ts'
import { sqliteLedger } from './ledger.ts'
import { sqliteList } from './list.ts'
import { sqliteListHold } from './list-hold.ts'
import { sqliteRestore } from './merge-copy.ts'
import { sqliteNotices } from './notices.ts'
import { sqliteOpening } from './opening.ts'
import { makeOurs } from './own-file.ts'
import { sqlitePeople } from './people.ts'
import { sqliteQuarantine } from './quarantine.ts'
import { sqliteRefusals } from './refusals.ts'
import { sqliteRequests } from './requests.ts'
import { sqliteLock } from './run-lock.ts'
import { sqliteStandings } from './standings.ts'
import { sqliteTaker } from './taker.ts'
import { sqliteVisits } from './visits.ts'

export interface SqliteStoreOptions {
  /** The database file; it is made when missing, in a folder that must exist. */
  readonly file: string
  readonly appId: string
  readonly addressIds: AddressIds
  /** Gets sentences about the file; without addresses. */
  readonly log: (message: string) => void
}

export type SqliteStore = ReturnType<typeof sqliteStore>

/** The store in one SQLite file, composed of the parts in this folder. */
export function sqliteStore(options: SqliteStoreOptions) {
  const { file, appId, addressIds, log } = options
  const database = sqliteDatabase(
    sqliteFile(file, (db) => makeOurs(db, file, appId, log), log),
    log,
  )
  const { signUps, requestConfirmation, replies, checkWritable } = sqliteSignUps(
    database,
    addressIds,
  )

  const inbox = sqliteTaker(database, addressIds, file, log)
  const { takeInAll } = inbox

  return {
    list: { ...signUps, ...sqliteList(database, addressIds) },
    standings: sqliteStandings(database, addressIds),
    refusals: sqliteRefusals(database, addressIds),
    quarantine: sqliteQuarantine(database, addressIds),
    requests: { ...sqliteRequests(database, addressIds), requestConfirmation },
    replies,
    inbox,
    ledger: sqliteLedger(database, addressIds),
    lock: sqliteLock(database),
    invitations: sqliteInvitations(database),
    opening: sqliteOpening(database, () => existsSync(file)),
    visits: sqliteVisits(database),
    growth: { ...sqliteGrowth(database), ...sqliteWatch(database) },
    counts: sqliteCountCheck(database, addressIds),
    people: sqlitePeople(database, addressIds),
    events: sqliteEvents(database, addressIds),
    notices: sqliteNotices(database, appId),
    desk: sqliteDeskAccess(database),
    hold: sqliteListHold(database),
    ...sqliteRestore(database, addressIds),
    backups: sqliteBackups(database),
    collecting: { ...sqliteCollecting(database, addressIds), takeInAll },
    /** Opens the file now, not at its first use. @throws StoreUnavailable */
    open: database.open,
    /** Resolves if a subscriber could be added now. @throws StoreUnavailable with the reason. */
    checkWritable,
    /** Finishes calls under way and releases everything. */
    close: database.close,
  }
}
