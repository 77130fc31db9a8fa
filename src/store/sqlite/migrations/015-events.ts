import type { Migration } from './migration.ts'

export const events: Migration = {
  version: 15,
  why: 'Other systems are told what becomes of people: the events that wait are kept, and how the receiver answers.',
  up(db) {
    db.exec(`
      -- One row a person, so that what is told of them stays in order; none where nothing waits.
      CREATE TABLE eventQueues (
        person TEXT PRIMARY KEY, dueAt INTEGER, heldAt INTEGER, data TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX "events due" ON eventQueues (dueAt) WHERE dueAt IS NOT NULL;
      CREATE INDEX "events held" ON eventQueues (heldAt) WHERE heldAt IS NOT NULL;
      CREATE TABLE eventFeed (data TEXT NOT NULL) STRICT;`)
  },
}
