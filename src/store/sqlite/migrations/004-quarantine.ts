import type { Migration } from './migration.ts'

export const quarantine: Migration = {
  version: 4,
  why: 'A sign-up may come with signs of a robot, and an address stands in one more way for it.',
  up(db) {
    db.exec('ALTER TABLE outbox ADD COLUMN suspicion TEXT')
  },
}
