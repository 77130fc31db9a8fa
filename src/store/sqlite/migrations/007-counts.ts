import type { Migration } from './migration.ts'

/** The quarter of an hour of a time as it is kept, in SQL; the row itself may say anything. */
const quarterOf = (time: string) => `coalesce(unixepoch(${time}) / 900, 0)`

const add = (kind: string, quarter: string, number: number | string) => `
  INSERT INTO counts (kind, quarter, number) VALUES (${kind}, ${quarter}, ${number})
  ON CONFLICT DO UPDATE SET number = number + excluded.number;`

const signUp = (row: string) => quarterOf(`${row}.data ->> 'subscribedAt'`)
const standing = (row: string, number: number) =>
  add(`${row}.standing`, quarterOf(`${row}.at`), number)
const toConfirm = (row: string) =>
  `${row}.data ->> 'confirmedAt' IS NULL AND ${row}.data ->> 'listedAt' IS NULL`
const hasConsent = (row: string) => `${row}.fields ->> '$.consent' IS NOT NULL`

export const counts: Migration = {
  version: 7,
  why: 'Sign-ups and standings are counted as they change, since counting a million takes seconds.',
  up(db) {
    db.exec(`
      -- Quarters of an hour since 1970. A kind is a standing, or one of those below.
      CREATE TABLE counts (
        kind TEXT NOT NULL, quarter INTEGER NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (kind, quarter)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO counts (kind, quarter, number)
        SELECT 'signUps', ${signUp('documents')}, count(*) FROM documents GROUP BY 2;
      -- New documents are counted by the code that adds them: once for a whole group of sign-ups.
      CREATE TRIGGER "a document leaves the count" AFTER DELETE ON documents BEGIN
        ${add(`'signUps'`, signUp('old'), -1)}
      END;
      CREATE TRIGGER "a document changes its time" AFTER UPDATE OF data ON documents
      WHEN old.data <> new.data BEGIN
        ${add(`'signUps'`, signUp('old'), -1)}
        ${add(`'signUps'`, signUp('new'), 1)}
      END;

      -- Whether the address is on the list. It is not known of an id that came without its address.
      ALTER TABLE standings ADD COLUMN listed INTEGER;
      UPDATE standings SET listed = iif(standing IN ('pending', 'quarantined'), 1, (
        SELECT EXISTS (SELECT 1 FROM documents WHERE data ->> 'email' = deliveries.email)
        FROM deliveries WHERE deliveries.addressId = standings.addressId AND email IS NOT NULL
      ));
      CREATE INDEX "standings of nobody knows whom" ON standings (addressId) WHERE listed IS NULL;
      INSERT INTO counts (kind, quarter, number)
        SELECT standing, ${quarterOf('at')}, count(*) FROM standings
        WHERE listed IS NOT 0 GROUP BY 1, 2;
      CREATE TRIGGER "a standing is counted" AFTER INSERT ON standings
      WHEN new.listed IS NOT 0 BEGIN
        ${standing('new', 1)}
      END;
      CREATE TRIGGER "a standing leaves the count" AFTER DELETE ON standings
      WHEN old.listed IS NOT 0 BEGIN
        ${standing('old', -1)}
      END;
      CREATE TRIGGER "a standing was counted" AFTER UPDATE ON standings
      WHEN old.listed IS NOT 0 BEGIN
        ${standing('old', -1)}
      END;
      CREATE TRIGGER "a standing is counted anew" AFTER UPDATE ON standings
      WHEN new.listed IS NOT 0 BEGIN
        ${standing('new', 1)}
      END;

      INSERT INTO counts (kind, quarter, number)
        SELECT 'toConfirm', 0, count(*) FROM pending WHERE ${toConfirm('pending')};
      CREATE TRIGGER "somebody has to confirm" AFTER INSERT ON pending
      WHEN ${toConfirm('new')} BEGIN ${add(`'toConfirm'`, '0', 1)} END;
      CREATE TRIGGER "somebody is not asked any more" AFTER DELETE ON pending
      WHEN ${toConfirm('old')} BEGIN ${add(`'toConfirm'`, '0', -1)} END;
      CREATE TRIGGER "somebody answered" AFTER UPDATE OF data ON pending
      WHEN (${toConfirm('old')}) <> (${toConfirm('new')}) BEGIN
        ${add(`'toConfirm'`, '0', `iif(${toConfirm('new')}, 1, -1)`)}
      END;

      INSERT INTO counts (kind, quarter, number)
        SELECT 'confirmed', 0, count(*) FROM extras WHERE ${hasConsent('extras')};
      CREATE TRIGGER "a consent is counted" AFTER INSERT ON extras
      WHEN ${hasConsent('new')} BEGIN ${add(`'confirmed'`, '0', 1)} END;
      CREATE TRIGGER "a consent leaves the count" AFTER DELETE ON extras
      WHEN ${hasConsent('old')} BEGIN ${add(`'confirmed'`, '0', -1)} END;
      CREATE TRIGGER "a consent comes or goes" AFTER UPDATE OF fields ON extras
      WHEN (${hasConsent('old')}) <> (${hasConsent('new')}) BEGIN
        ${add(`'confirmed'`, '0', `iif(${hasConsent('new')}, 1, -1)`)}
      END;

      -- Sources are counted in the order of this, without a look at each row.
      CREATE INDEX "sources by name" ON sources (source, medium, campaign, at);`)
  },
}
