import type { Migration } from './migration.ts'

export const brake: Migration = {
  version: 13,
  why: 'Letters are counted by the network and the domain they go out for, so that a flood of them waits.',
  up(db) {
    db.exec(`
      -- Keyed hashes. What a row waits for is the name of a brake.
      ALTER TABLE outbox ADD COLUMN network TEXT;
      ALTER TABLE outbox ADD COLUMN waitsFor TEXT;
      -- Of an address that had a letter since this version: what its last one counts for.
      ALTER TABLE pending ADD COLUMN network TEXT;
      ALTER TABLE pending ADD COLUMN domain TEXT;
      ALTER TABLE pending ADD COLUMN sign TEXT;
      ALTER TABLE pending ADD COLUMN letterAt TEXT;
      ALTER TABLE pending ADD COLUMN isAnswered INTEGER;
      CREATE INDEX "letters by network" ON pending (network, letterAt) WHERE network IS NOT NULL;
      CREATE INDEX "letters by domain" ON pending (domain, letterAt) WHERE domain IS NOT NULL;
      CREATE INDEX "letters by sign" ON pending (sign, letterAt) WHERE sign IS NOT NULL;
      CREATE INDEX "letters by time" ON pending (letterAt) WHERE letterAt IS NOT NULL;
      -- One row: which requests were released, by when somebody left the address.
      CREATE TABLE released (until TEXT) STRICT;
      INSERT INTO released (until) VALUES (NULL);`)
  },
}
