import { subscribersPath } from '../../../shared/subscriber.ts'
import { StoreUnavailable } from '../../subscriber-store.ts'
import type { Migration } from './migration.ts'

/** Files of this version say 0, as all did before versions were kept; some lack the later tables. */
export const first: Migration = {
  version: 1,
  why: 'The first version, from before versions were numbered.',
  up(db, appId) {
    const collection = subscribersPath(appId)
    const inCollection = `collection = '${collection.replaceAll("'", "''")}'`
    db.exec(`
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
      INSERT INTO commits (number) SELECT 0 WHERE NOT EXISTS (SELECT * FROM commits);
      CREATE INDEX IF NOT EXISTS "sign-ups in order where ${inCollection}"
        ON documents (data ->> 'subscribedAt', id) WHERE ${inCollection};
      CREATE TABLE IF NOT EXISTS suppressions (
        addressId TEXT PRIMARY KEY, reason TEXT NOT NULL, at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS boundTo (fingerprint TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS announcements (
        id TEXT PRIMARY KEY, subject TEXT NOT NULL, digest TEXT NOT NULL,
        begunAt TEXT NOT NULL, cutOff TEXT NOT NULL, eligible INTEGER
      ) STRICT;
      CREATE TABLE IF NOT EXISTS deliveries (
        announcement TEXT NOT NULL, addressId TEXT NOT NULL, email TEXT, status TEXT NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0, dueAt TEXT NOT NULL, changedAt TEXT NOT NULL,
        owner TEXT, answer TEXT, UNIQUE (addressId, announcement)
      ) STRICT;
      CREATE INDEX IF NOT EXISTS "deliveries by what is due"
        ON deliveries (announcement, status, tries > 0, dueAt);
      CREATE TABLE IF NOT EXISTS runLock (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        owner TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, until TEXT NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS backups (at TEXT NOT NULL) STRICT;`)
    const missing = columns.find(([table, column]) => !has(db, table, column))
    if (missing)
      throw new StoreUnavailable(
        `it was made by no released version: its table ${missing[0]} has no column ${missing[1]}`,
      )
  },
}

/** A file with a table of another making must not be taken for ours. */
const columns = Object.entries({
  documents: ['collection', 'id', 'data'],
  commits: ['number'],
  suppressions: ['addressId', 'reason', 'at'],
  boundTo: ['fingerprint'],
  announcements: ['id', 'subject', 'digest', 'begunAt', 'cutOff', 'eligible'],
  deliveries: [
    'announcement',
    'addressId',
    'email',
    'status',
    'tries',
    'dueAt',
    'changedAt',
  ].concat(...['owner', 'answer']),
  runLock: ['only', 'owner', 'host', 'pid', 'until'],
  backups: ['at'],
}).flatMap(([table, names]) => names.map((name) => [table, name] as const))

function has(db: Parameters<Migration['up']>[0], table: string, column: string): boolean {
  return (
    db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined
  )
}
