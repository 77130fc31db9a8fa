import { existsSync } from 'node:fs'
import type { AddressIds } from '../../keys/address-id.ts'
import { sqliteSignUps } from './append-sign-ups.ts'
import { sqliteBackups } from './backups.ts'
import { sqliteCodeKeys } from './code-keys.ts'
import { sqliteWatch } from './commit-watch.ts'
import { sqliteCountCheck } from './count-check.ts'
import { sqliteDatabase } from './database.ts'
import { sqliteDeskAccess } from './desk-access.ts'
import { sqliteEvents } from './events.ts'
import { sqliteFile } from './file.ts'
import { sqliteGrowth } from './growth.ts'
import { sqliteCollecting } from './inbox.ts'
import { sqliteLedger } from './ledger.ts'
import { sqliteList } from './list.ts'
import { sqliteListHold } from './list-hold.ts'
import { sqliteRestore } from './merge-copy.ts'
import { sqliteNotices } from './notices.ts'
import { openList } from './open-list.ts'
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
  const ours = sqliteFile(file, (db) => makeOurs(db, file, appId, log), log)
  const list = openList(sqliteDatabase(ours, log), addressIds)
  const { signUps, requestConfirmation, replies, checkWritable } = sqliteSignUps(list)
  const inbox = sqliteTaker(list, file, log)
  const { takeInAll } = inbox

  return {
    list: { ...signUps, ...sqliteList(list) },
    standings: sqliteStandings(list),
    refusals: sqliteRefusals(list),
    quarantine: sqliteQuarantine(list),
    requests: { ...sqliteRequests(list), requestConfirmation },
    replies,
    inbox,
    ledger: sqliteLedger(list),
    lock: sqliteLock(list),
    codeKeys: sqliteCodeKeys(list),
    opening: sqliteOpening(list, () => existsSync(file)),
    visits: sqliteVisits(list),
    growth: { ...sqliteGrowth(list), ...sqliteWatch(list) },
    counts: sqliteCountCheck(list, addressIds),
    people: sqlitePeople(list),
    events: sqliteEvents(list),
    notices: sqliteNotices(list, appId),
    desk: sqliteDeskAccess(list),
    hold: sqliteListHold(list),
    ...sqliteRestore(list),
    backups: sqliteBackups(list),
    collecting: { ...sqliteCollecting(list), takeInAll },
    /** Opens the file now, not at its first use. @throws StoreUnavailable */
    open: list.open,
    /** Resolves if a subscriber could be added now. @throws StoreUnavailable with the reason. */
    checkWritable,
    /** Finishes calls under way and releases everything. */
    close: list.close,
  }
}
