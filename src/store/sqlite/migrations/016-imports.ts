import type { Migration } from './migration.ts'

/** As in migration 007. */
const quarterOf = (time: string) => `coalesce(unixepoch(${time}) / 900, 0)`

const add = (kind: string, quarter: string, number: number) => `
  INSERT INTO counts (kind, quarter, number) VALUES (${kind}, ${quarter}, ${number})
  ON CONFLICT DO UPDATE SET number = number + excluded.number;`

const document = (row: string, number: number) =>
  add(
    `iif(${row}.signedUpAt = '', 'imported', 'signUps')`,
    `iif(${row}.signedUpAt = '', 0, ${quarterOf(`coalesce(${row}.signedUpAt, ${row}.data ->> 'subscribedAt')`)})`,
    number,
  )

const standing = (row: string, number: number) =>
  add(`${row}.standing`, `iif(${row}.isImported, 0, ${quarterOf(`${row}.at`)})`, number)

export const imports: Migration = {
  version: 16,
  why: 'An import no longer changes the figures of the page: it is kept who was imported, and when the others signed up.',
  up(db) {
    db.exec(`
      -- When somebody signed up at the page, where that is not the time of the record: empty for
      -- those who never did. What an older version imported counts as the page's, as it did then.
      ALTER TABLE documents ADD COLUMN signedUpAt TEXT;
      CREATE INDEX "imported in order" ON documents (data ->> 'subscribedAt', signedUpAt)
        WHERE signedUpAt IS NOT NULL;
      CREATE INDEX "imported who signed up" ON documents (signedUpAt) WHERE signedUpAt IS NOT NULL;
      DROP TRIGGER "a document leaves the count";
      CREATE TRIGGER "a document leaves the count" AFTER DELETE ON documents BEGIN
        ${document('old', -1)}
      END;
      DROP TRIGGER "a document changes its time";
      CREATE TRIGGER "a document changes its time" AFTER UPDATE OF data, signedUpAt ON documents
      WHEN old.data <> new.data OR old.signedUpAt IS NOT new.signedUpAt BEGIN
        ${document('old', -1)}
        ${document('new', 1)}
      END;

      -- Whether an import quarantined it: it was never one of the page's sign-ups.
      ALTER TABLE standings ADD COLUMN isImported INTEGER NOT NULL DEFAULT 0;
      DROP TRIGGER "a standing is counted";
      CREATE TRIGGER "a standing is counted" AFTER INSERT ON standings
      WHEN new.listed IS NOT 0 BEGIN ${standing('new', 1)} END;
      DROP TRIGGER "a standing leaves the count";
      CREATE TRIGGER "a standing leaves the count" AFTER DELETE ON standings
      WHEN old.listed IS NOT 0 BEGIN ${standing('old', -1)} END;
      DROP TRIGGER "a standing was counted";
      CREATE TRIGGER "a standing was counted" AFTER UPDATE ON standings
      WHEN old.listed IS NOT 0 BEGIN ${standing('old', -1)} END;
      DROP TRIGGER "a standing is counted anew";
      CREATE TRIGGER "a standing is counted anew" AFTER UPDATE ON standings
      WHEN new.listed IS NOT 0 BEGIN ${standing('new', 1)} END;`)
  },
  formerly: {
    // The older version counts the imported with the others, by the times of their records.
    counts: `(kind, quarter, number)
      SELECT kind, quarter, number FROM newer.counts
        WHERE kind NOT IN ('signUps', 'imported', 'quarantined')
      UNION ALL SELECT 'signUps', ${quarterOf(`data ->> 'subscribedAt'`)}, count(*)
        FROM newer.documents GROUP BY 2
      UNION ALL SELECT 'quarantined', ${quarterOf('at')}, count(*)
        FROM newer.standings WHERE standing = 'quarantined' AND listed IS NOT 0 GROUP BY 2`,
  },
}
