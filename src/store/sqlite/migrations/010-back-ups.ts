import type { Migration } from './migration.ts'

export const backUps: Migration = {
  version: 10,
  why: 'The list knows which copies of it are kept where, and when one was last restored to try it.',
  up(db) {
    db.exec(`
      -- A copy has its row before it has its name: what has none was made by somebody else.
      CREATE TABLE keptCopies (
        folder TEXT NOT NULL, name TEXT NOT NULL, at TEXT NOT NULL, bytes INTEGER NOT NULL,
        keep TEXT NOT NULL, content TEXT NOT NULL,
        PRIMARY KEY (folder, name)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE rehearsals (
        at TEXT NOT NULL, copy TEXT NOT NULL, fault TEXT
      ) STRICT;`)
  },
}
