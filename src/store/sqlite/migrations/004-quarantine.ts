import type { Migration } from './migration.ts'

export const quarantine: Migration = {
  version: 4,
  why: 'An address may be quarantined, for signs of a robot in its sign-up.',
  up(db) {
    db.exec('ALTER TABLE outbox ADD COLUMN suspicion TEXT')
  },
}
