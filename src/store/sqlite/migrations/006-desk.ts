import type { Migration } from './migration.ts'

export const desk: Migration = {
  version: 6,
  why: 'Who may open the desk is kept: links, sessions and passkeys, as hashes and public keys.',
  up(db) {
    db.exec(`
      CREATE TABLE deskAccess (
        only INTEGER PRIMARY KEY CHECK (only = 1), data TEXT NOT NULL
      ) STRICT;`)
  },
}
