import type { DatabaseSync } from 'node:sqlite'
import { subscribersPath } from '../shared/subscriber.ts'
import { groupCommit } from './group-commit.ts'
import { sqliteFile } from './sqlite-file.ts'
import type { SubscriberStore } from './subscriber-store.ts'

export interface SqliteStoreOptions {
  /** The database file; made when missing, in a folder that must be there. */
  readonly file: string
  readonly appId: string
  /** Told in a sentence what happens to the file; never an address. */
  readonly log: (message: string) => void
}

/** Keeps subscribers in one SQLite file that a person can open. */
export function sqliteStore({ file, appId, log }: SqliteStoreOptions): SubscriberStore {
  const collection = subscribersPath(appId)
  const database = sqliteFile(file, (db) => prepare(db, collection), log)
  const commits = groupCommit<string[]>((groups) =>
    database.use((connection) => commit(connection, groups.flat())),
  )

  return {
    add: (email) => commits.add([email]),
    // Writing and syncing nothing finds out what writing an address would.
    checkWritable: () => commits.add([]),

    async find(email) {
      const row = database.use(({ find }) => find.get(email))
      return row && { email, subscribedAt: new Date(String(row.subscribedAt)) }
    },

    async count() {
      return Number(database.use(({ count }) => count.get())?.subscribers)
    },

    async close() {
      await commits.close()
      database.close()
    },
  }
}

type Connection = ReturnType<typeof prepare>

function prepare(db: DatabaseSync, collection: string) {
  const inCollection = `collection = '${collection.replaceAll("'", "''")}'`
  db.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS documents (
      path TEXT AS (collection || '/' || id) VIRTUAL,
      collection TEXT NOT NULL,
      id INTEGER PRIMARY KEY,
      data TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX IF NOT EXISTS "one document an address in ${collection}"
      ON documents (data ->> 'email') WHERE ${inCollection};
    CREATE VIEW IF NOT EXISTS subscribers AS
      SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt, path
      FROM documents ORDER BY id;
    CREATE TABLE IF NOT EXISTS commits (number INTEGER NOT NULL) STRICT;
    INSERT INTO commits SELECT 0 WHERE NOT EXISTS (SELECT * FROM commits);
    COMMIT;
  `)
  return {
    db,
    begin: db.prepare('BEGIN IMMEDIATE'),
    // Ids follow the clock, so that new rows lie side by side, and never go back with it.
    insert: db.prepare(`
      INSERT INTO documents (id, collection, data)
      SELECT
        max(:firstId, (SELECT coalesce(max(id), 0) + 1 FROM documents)) + key,
        '${collection}',
        json_object('email', value, 'subscribedAt', :subscribedAt)
      FROM json_each(:emails) WHERE true
      ON CONFLICT (data ->> 'email') WHERE ${inCollection} DO NOTHING`),
    // Without this a group of known addresses would write nothing, sync nothing, and be faster.
    countCommit: db.prepare('UPDATE commits SET number = number + 1'),
    commit: db.prepare('COMMIT'),
    find: db.prepare(`
      SELECT data ->> 'subscribedAt' AS subscribedAt FROM documents
      WHERE ${inCollection} AND data ->> 'email' = ?`),
    count: db.prepare(`SELECT count(*) AS subscribers FROM documents WHERE ${inCollection}`),
  }
}

/** A millisecond has room for this many ids; a busier one borrows from the next. */
const IDS_PER_MS = 1024

function commit(connection: Connection, emails: string[]) {
  const now = new Date()
  connection.begin.run()
  try {
    connection.insert.run({
      emails: JSON.stringify(emails),
      firstId: now.getTime() * IDS_PER_MS,
      subscribedAt: now.toISOString(),
    })
    connection.countCommit.run()
    connection.commit.run()
  } catch (cause) {
    if (connection.db.isTransaction) connection.db.exec('ROLLBACK')
    throw cause
  }
}
