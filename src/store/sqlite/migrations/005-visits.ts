import type { Migration } from './migration.ts'

export const visits: Migration = {
  version: 5,
  why: 'Visits are counted, and where subscribers came from is kept.',
  up(db) {
    db.exec(`
      -- Hours are those since 1970.
      CREATE TABLE visits (
        hour INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (hour, kind)
      ) STRICT, WITHOUT ROWID;
      -- The commonest names; the weight decides which of them have to go.
      CREATE TABLE visitNames (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, weight INTEGER NOT NULL,
        UNIQUE (kind, name)
      ) STRICT;
      -- A negative id stands for the names of a kind that had to go.
      CREATE TABLE visitsByName (
        nameId INTEGER NOT NULL, hour INTEGER NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (nameId, hour)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE sources (
        addressId TEXT PRIMARY KEY, at TEXT NOT NULL, source TEXT, medium TEXT, campaign TEXT
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE outbox ADD COLUMN source TEXT;`)
  },
}
