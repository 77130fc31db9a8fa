import type { Migration } from './migration.ts'

export const waves: Migration = {
  version: 12,
  why: 'An announcement may go out in waves, and one that does must not go to everybody at once.',
  up(db) {
    // JSON, of one that has waves.
    db.exec('ALTER TABLE announcements ADD COLUMN waves TEXT')
  },
}
