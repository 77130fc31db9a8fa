import type { Migration } from './migration.ts'

export const brake: Migration = {
  version: 13,
  why: 'Confirmation letters are counted by network and by domain, so that a flood of them waits.',
  up(db) {
    db.exec(`
      -- The keyed hash of a network, and the name of the brake that a row waits for.
      ALTER TABLE outbox ADD COLUMN network TEXT;
      ALTER TABLE outbox ADD COLUMN waitsFor TEXT;
      CREATE INDEX "what waits" ON outbox (waitsFor) WHERE waitsFor IS NOT NULL;
      -- What the last letter of an address counts for; nothing of a letter from before this version.
      ALTER TABLE pending ADD COLUMN network TEXT;
      ALTER TABLE pending ADD COLUMN domain TEXT;
      ALTER TABLE pending ADD COLUMN hiddenAskedAt TEXT;
      ALTER TABLE pending ADD COLUMN letterAt TEXT;
      ALTER TABLE pending ADD COLUMN isAnswered INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX "letters by network" ON pending (network, letterAt, isAnswered)
        WHERE network IS NOT NULL;
      CREATE INDEX "letters by domain" ON pending (domain, letterAt, isAnswered)
        WHERE domain IS NOT NULL;
      CREATE INDEX "letters by hidden field" ON pending (hiddenAskedAt, isAnswered)
        WHERE hiddenAskedAt IS NOT NULL;
      CREATE INDEX "letters by time" ON pending (letterAt, isAnswered) WHERE letterAt IS NOT NULL;
      -- Letters that were asked for by then wait for that no more: the operator released them.
      CREATE TABLE released (
        waitsFor TEXT PRIMARY KEY, until TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;`)
  },
}
