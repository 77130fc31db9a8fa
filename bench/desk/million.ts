import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { subscribersPath } from '../../src/shared/subscriber.ts'
import { makeList } from '../../src/store/sqlite/versions.ts'

const DAY_S = 86_400

/**
 * Writes a list of many subscribers over half a year, each with a source, and visits of all these
 * hours. In SQL, since the store would take minutes.
 */
export function writeMillion(
  dataDir: string,
  appId: string,
  people: number,
  ids: readonly string[],
) {
  const db = new DatabaseSync(join(dataDir, 'subscribers.sqlite'))
  const now = Math.floor(Date.now() / 1000)
  const start = now - 180 * DAY_S
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN')
  makeList(db, appId)
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)'
  const time = (i: string) =>
    `strftime('%Y-%m-%dT%H:%M:%fZ', ${start} + ${i} * ${((now - start) / people).toFixed(9)}, 'unixepoch')`
  db.prepare(`
    INSERT INTO documents (id, collection, data) ${numbers}
    SELECT i + 1, ?, json_object('email', lower(hex(randomblob(5))) || i || '@example.com',
      'subscribedAt', ${time('i')}) FROM n`).run(people, subscribersPath(appId))
  db.prepare(`
    INSERT INTO sources (addressId, at, source, medium, campaign) ${numbers}
    SELECT lower(hex(randomblob(11))), ${time('i')}, 'source-' || abs(random() % 60),
      iif(i % 3, 'social', NULL), iif(i % 4, NULL, 'launch-' || i % 5) FROM n`).run(people)
  db.prepare(`
    INSERT INTO visits (hour, kind, number) ${numbers}
    SELECT ${Math.floor(start / 3600)} + i / 4,
      CASE i % 4 WHEN 0 THEN 'first' WHEN 1 THEN 'return' WHEN 2 THEN 'robot' ELSE 'prefetch' END,
      100 + abs(random() % 900) FROM n`).run(180 * 24 * 4)
  db.prepare(`
    INSERT INTO visitNames (id, kind, name, weight) ${numbers}
    SELECT i + 1, 'source', 'source-' || i, 1000 FROM n`).run(1000)
  db.prepare(`
    INSERT INTO visitsByName (nameId, hour, number) ${numbers}
    SELECT i % 60 + 1, ${Math.floor(now / 3600)} - i / 60, 1 + abs(random() % 9) FROM n`).run(
    30 * 24 * 60,
  )
  const standing = db.prepare(`
    INSERT INTO standings (addressId, standing, at, listed) VALUES (?, ?, ?, 1)`)
  for (const [i, id] of ids.entries())
    standing.run(id, i % 3 ? 'quarantined' : 'unsubscribed', new Date().toISOString())
  db.exec(`
    INSERT INTO counts (kind, quarter, number)
      SELECT 'signUps', unixepoch(data ->> 'subscribedAt') / 900, count(*) FROM documents GROUP BY 2;
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`)
  db.close()
}
