import type { Migration } from './migration.ts'

export const opening: Migration = {
  version: 9,
  why: 'When the page opens is kept, so that all servers open it together.',
  up(db) {
    db.exec(`
      -- One row at most. Without a url it was set once and is undone: no copy brings it back.
      CREATE TABLE opening (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        url TEXT, at TEXT NOT NULL, zone TEXT NOT NULL, openedAt TEXT
      ) STRICT`)
  },
}
