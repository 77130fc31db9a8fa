import type { Migration } from './migration.ts'

export const confirmation: Migration = {
  version: 3,
  why: 'Visitors may be asked to confirm: the letters that have to leave are kept, and who has yet to confirm.',
  up(db) {
    db.exec(`
      -- A row for each time that somebody left an address, until its letter is done with.
      CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL, askedAt TEXT NOT NULL,
        shown TEXT NOT NULL, isCrowd INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
        dueAt TEXT NOT NULL
      ) STRICT;
      CREATE INDEX "what leaves next" ON outbox (isCrowd, dueAt);
      -- The mailbox is that of an address that had letters.
      CREATE TABLE pending (
        addressId TEXT PRIMARY KEY, mailbox TEXT, data TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX "pending by mailbox" ON pending (mailbox) WHERE mailbox IS NOT NULL;
      CREATE TABLE expired (number INTEGER NOT NULL) STRICT;
      INSERT INTO expired (number) VALUES (0);`)
  },
}
