import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { isCheckAddress } from '../../shared/check-address.ts'
import { subscribersPath } from '../../shared/subscriber.ts'
import type { Backups } from '../backups.ts'
import type { Store } from '../store.ts'
import { sqliteBackups } from './backups.ts'
import { prepared, sqliteDatabase } from './database.ts'
import { sqliteFile } from './file.ts'
import { groupCommit } from './group-commit.ts'
import { sqliteLedger } from './ledger.ts'
import { sqliteList } from './list.ts'
import { sqliteLock } from './lock.ts'
import { sqliteOutbox } from './outbox.ts'
import { sqliteRestore } from './restore.ts'
import { liftOnSignUp, signUpOf, sqliteStandings } from './standings.ts'
import { versionGate } from './version-gate.ts'

export interface SqliteStoreOptions {
  /** The database file; made when missing, in a folder that must be there. */
  readonly file: string
  readonly appId: string
  readonly addressIds: AddressIds
  /** Told in a sentence what happens to the file; never an address. */
  readonly log: (message: string) => void
}

export interface SqliteStore extends Store {
  readonly backups: Backups
  /** Opens the file now, not when it is first used. @throws StoreUnavailable */
  open(): void
}

/** Keeps everything in one SQLite file that a person can open. */
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { file, appId, addressIds, log } = options
  const gate = versionGate(file, appId, log)
  const opened = sqliteFile(
    file,
    (db) => {
      gate.check(db)
      return prepare(db, subscribersPath(appId))
    },
    log,
    gate.enter,
  )
  const database = sqliteDatabase(opened)
  let committed = 0
  const commits = groupCommit<string[]>((groups) =>
    opened.use((connection) => {
      if (committed++ % GROUPS_UNTIL_LOOK === 0) fitLog(connection)
      commit(connection, groups.flat(), addressIds)
    }),
  )

  const { standings, closeStandings } = sqliteStandings(database, addressIds)
  const { outbox, closeOutbox } = sqliteOutbox(database, addressIds, appId)

  return {
    open: () => opened.use(() => {}),
    backups: sqliteBackups(database, addressIds, appId, dirname(file)),
    ...sqliteList(database, addressIds, appId),
    ...standings,
    ...outbox,
    ...sqliteLedger(database, addressIds),
    ...sqliteLock(database),
    ...sqliteRestore(database, addressIds),

    add: (email) => commits.add(isCheckAddress(email) ? [] : [email]),
    // Writing and syncing nothing finds out what writing an address would.
    checkWritable: () => commits.add([]),

    async find(email) {
      const subscribedAt = await database.read((sql) => signUpOf(sql, email))
      return subscribedAt && { email, subscribedAt }
    },

    async count() {
      const row = await database.read((sql) =>
        sql('SELECT count(*) AS subscribers FROM documents').get(),
      )
      return Number(row?.subscribers)
    },

    async close() {
      await Promise.all([commits.close(), closeStandings(), closeOutbox(), gate.close()])
      opened.close()
    },
  }
}

type Connection = ReturnType<typeof prepare>

function prepare(db: DatabaseSync, collection: string) {
  return {
    db,
    sql: prepared(db),
    begin: db.prepare('BEGIN IMMEDIATE'),
    // Ids follow the clock, so that new rows lie side by side, and never go back with it.
    insert: db.prepare(`
      INSERT INTO documents (id, collection, data)
      SELECT
        max(:firstId, (SELECT coalesce(max(id), 0) + 1 FROM documents)) + key,
        '${collection}',
        json_object('email', value, 'subscribedAt', :subscribedAt)
      FROM json_each(:emails) WHERE true
      ON CONFLICT (data ->> 'email') DO UPDATE SET data = data`),
    anyStanding: db.prepare('SELECT 1 FROM standings LIMIT 1'),
    lift: db.prepare(liftOnSignUp),
    // Without this a group of known addresses would write nothing, sync nothing, and be faster.
    countCommit: db.prepare('UPDATE groupCommits SET number = number + 1'),
    commit: db.prepare('COMMIT'),
    size: db.prepare('PRAGMA page_count'),
  }
}

/** Now and then, as files grow slowly. */
const GROUPS_UNTIL_LOOK = 1000

/** SQLite's own measure for the log, 4 MB, and ours for that of the largest files, 200 MB. */
const LEAST_LOG_PAGES = 1000
const MOST_LOG_PAGES = 50_000

/**
 * Lets the log have a quarter of the file before it is written back. Addresses come in no order, so
 * in a long list each changes pages of its own; the longer the log, the more of them it holds twice,
 * and those are written and synced once.
 */
function fitLog({ db, size }: Connection) {
  const quarter = Math.floor(Number(size.get()?.page_count) / 4)
  const pages = Math.min(Math.max(quarter, LEAST_LOG_PAGES), MOST_LOG_PAGES)
  db.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
}

/** A millisecond has room for this many ids; a busier one borrows from the next. */
const IDS_PER_MS = 1024

function commit(connection: Connection, emails: string[], addressIds: AddressIds) {
  connection.begin.run()
  try {
    // Read while nobody else can write: who signs up after a cut-off has a later time than it.
    const now = new Date()
    connection.insert.run({
      emails: JSON.stringify(emails),
      firstId: now.getTime() * IDS_PER_MS,
      subscribedAt: now.toISOString(),
    })
    // Ids of addresses cost as much as the rest of this; the same for everybody, or for nobody.
    if (connection.anyStanding.get())
      connection.lift.run({
        addressIds: JSON.stringify(emails.map(addressIds.of)),
        at: now.toISOString(),
      })
    connection.countCommit.run()
    connection.commit.run()
  } catch (cause) {
    if (connection.db.isTransaction) connection.db.exec('ROLLBACK')
    throw cause
  }
}
