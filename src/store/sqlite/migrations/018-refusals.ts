import type { Migration } from './migration.ts'

export const refusals: Migration = {
  version: 18,
  why: 'Which letters a mail server refused is kept for two weeks: one full mailbox is no bounce, and neither are many refusals in a day.',
  up(db) {
    db.exec(`
      CREATE TABLE refusals (
        addressId TEXT NOT NULL,
        -- A hash of the report: read again, it is one.
        report TEXT NOT NULL,
        refusal TEXT NOT NULL,
        domain TEXT NOT NULL,
        at TEXT NOT NULL,
        heardAt TEXT NOT NULL,
        PRIMARY KEY (addressId, report)
      ) WITHOUT ROWID;
      CREATE INDEX "refusals of a day" ON refusals (domain, substr(at, 1, 10), addressId);`)
  },
}
