import { subscribersPath } from '../../../shared/subscriber.ts'
import { StoreUnavailable } from '../../subscriber-store.ts'
import type { Migration } from './migration.ts'

export const standings: Migration = {
  version: 2,
  why: 'Bounces, complaints and further fields are kept, and a file belongs to one product.',
  up(db, appId) {
    refuseOthers(db, subscribersPath(appId))
    // Each is named after its product, and holds the documents of that alone.
    for (const { name } of db.prepare(ofDocuments).all()) db.exec(`DROP INDEX "${name}"`)
    db.exec(`
      CREATE TABLE standings (
        addressId TEXT PRIMARY KEY, standing TEXT NOT NULL, at TEXT NOT NULL, detail TEXT
      ) STRICT, WITHOUT ROWID;
      INSERT INTO standings (addressId, standing, at)
        SELECT addressId, reason, at FROM suppressions;
      DROP TABLE suppressions;
      CREATE TABLE extras (
        addressId TEXT PRIMARY KEY, fields TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- Why somebody was left out: so far there was one reason.
      ALTER TABLE deliveries ADD COLUMN standing TEXT;
      UPDATE deliveries SET standing = 'unsubscribed' WHERE status = 'suppressed';

      CREATE TABLE product (appId TEXT NOT NULL) STRICT;
      CREATE UNIQUE INDEX "one document an address" ON documents (data ->> 'email');
      CREATE INDEX "sign-ups in order" ON documents (data ->> 'subscribedAt', id);

      -- A program of version 1 looks at no version. It begins by writing to commits and ends there,
      -- before it has changed anything.
      ALTER TABLE commits RENAME TO groupCommits;
      CREATE VIEW commits AS SELECT number FROM groupCommits;`)
    db.prepare('INSERT INTO product (appId) VALUES (?)').run(appId)
  },
  formerly: {
    // The older version knew two reasons. Addresses that may not be mailed now must not be mailed
    // then.
    suppressions: `(addressId, reason, at)
      SELECT addressId, iif(standing = 'forgotten', standing, 'unsubscribed'), at
      FROM newer.standings`,
    commits: '(number) SELECT number FROM newer.groupCommits',
  },
}

const ofDocuments = `SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'documents'`

/** Version 1 knew its documents by the product's path, and let the lists of several into one file. */
function refuseOthers(db: Parameters<Migration['up']>[0], collection: string) {
  const others = db
    .prepare('SELECT collection, count(*) AS n FROM documents WHERE collection <> ? GROUP BY 1')
    .all(collection)
    .map((row) => `${row.n} of ${String(row.collection).split('/')[2]}`)
  if (others.length > 0)
    throw new StoreUnavailable(
      `it holds subscribers of another appId (${others.join(', ')}): set appId in product.config.ts back, or move the file away and restore what is of this appId from it`,
    )
}
