import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AddressIds } from '../../keys/address-id.ts'
import type { Backups } from '../backups.ts'
import type { Store } from '../store.ts'
import { sqliteBackups } from './backups.ts'
import { sqliteGrowth } from './counts.ts'
import { sqliteDatabase } from './database.ts'
import { sqliteDeskAccess } from './desk-access.ts'
import { sqliteFile } from './file.ts'
import type { OnCommit } from './group-commit.ts'
import { growthWatch } from './growth-watch.ts'
import { sqliteInvitations } from './invitations.ts'
import { sqliteLedger } from './ledger.ts'
import { sqliteList } from './list.ts'
import { sqliteListHold } from './list-hold.ts'
import { sqliteLock } from './lock.ts'
import { sqliteNotices } from './notices.ts'
import { sqliteOpening } from './opening.ts'
import { sqliteOutbox } from './outbox.ts'
import { sqlitePeople } from './people.ts'
import { sqliteQuarantine } from './quarantine.ts'
import { sqliteRestore } from './restore.ts'
import { sqliteSignUps } from './sign-ups.ts'
import { sqliteStandings } from './standings.ts'
import { sqliteUnreadable } from './unreadable.ts'
import { versionGate } from './version-gate.ts'
import { sqliteVisits } from './visits.ts'
import { sqliteWatch } from './watch.ts'

export interface SqliteStoreOptions {
  /** The database file; made when missing, in a folder that must be there. */
  readonly file: string
  readonly appId: string
  readonly addressIds: AddressIds
  /** Told in a sentence what happens to the file; never an address. */
  readonly log: (message: string) => void
  /** Is told of each group of sign-ups that was committed. */
  readonly onCommit?: OnCommit | undefined
}

export interface SqliteStore extends Store {
  readonly backups: Backups
  /** Opens the file now, not when it is first used. @throws StoreUnavailable */
  open(): void
}

/** The store in one SQLite file, composed of the parts in this folder. */
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { file, appId, addressIds, log, onCommit } = options
  const gate = versionGate(file, appId, log)
  const opened = sqliteFile(file, gate, log)
  const database = sqliteDatabase(opened)
  const watch = growthWatch()
  const signUps = sqliteSignUps(database, addressIds, appId, watch, onCommit)
  const { standings, closeStandings } = sqliteStandings(database, addressIds)
  const { outbox, closeOutbox } = sqliteOutbox(database, addressIds, appId, watch, onCommit)

  return {
    ...signUps,
    ...standings,
    ...sqliteList(database, addressIds, appId),
    ...outbox,
    ...sqliteQuarantine(database, addressIds),
    ...sqliteLedger(database, addressIds),
    ...sqliteLock(database),
    ...sqliteRestore(database, addressIds),
    ...sqliteVisits(database, addressIds),
    ...sqlitePeople(database, addressIds),
    ...sqliteGrowth(database, addressIds),
    ...sqliteWatch(database),
    ...sqliteDeskAccess(database),
    ...sqliteNotices(database, watch, addressIds, appId),
    ...sqliteListHold(database),
    ...sqliteUnreadable(database),
    ...sqliteOpening(database, () => existsSync(file)),
    ...sqliteInvitations(database, addressIds),
    backups: sqliteBackups(database, addressIds, appId, dirname(file)),
    open: () => opened.use(() => {}),

    async close() {
      await Promise.all([signUps.close(), closeStandings(), closeOutbox(), gate.close()])
      opened.close()
    },
  }
}
