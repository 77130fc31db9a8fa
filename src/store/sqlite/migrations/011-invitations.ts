import type { Migration } from './migration.ts'

export const invitations: Migration = {
  version: 11,
  why: 'A letter may invite its reader: it is kept who was invited, until when, and what came of it.',
  up(db) {
    db.exec(`
      -- A row is there before its letter leaves.
      CREATE TABLE invitations (
        id TEXT PRIMARY KEY, announcement TEXT NOT NULL, addressId TEXT NOT NULL,
        email TEXT NOT NULL, issuedAt TEXT NOT NULL, expiresAt TEXT NOT NULL,
        endedAs TEXT, endedAt TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX "invitations by address" ON invitations (addressId);
      -- With which public key they are verified: another one would be told to nobody.
      CREATE TABLE invitationKey (
        only INTEGER PRIMARY KEY CHECK (only = 1), publicKey TEXT NOT NULL
      ) STRICT;`)
  },
}
