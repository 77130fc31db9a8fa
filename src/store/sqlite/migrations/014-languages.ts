import type { Migration } from './migration.ts'

export const languages: Migration = {
  version: 14,
  why: 'An announcement may have letters in several languages, and a delivery says which one it was.',
  up(db) {
    db.exec('ALTER TABLE deliveries ADD COLUMN language TEXT')
  },
}
