import type { Migration } from './migration.ts'

export const notices: Migration = {
  version: 8,
  why: 'The operator is told of milestones, days and alarms: the notices are kept, and which of them each place got.',
  up(db) {
    db.exec(`
      CREATE TABLE notices (
        number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
        at TEXT NOT NULL, data TEXT NOT NULL
      ) STRICT;
      CREATE TABLE noticePlaces (name TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE alarms (kind TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;`)
  },
}
