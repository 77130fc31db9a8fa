import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const email = (who: string) => `${who}@example.com`
const shown = { words: '', page: '', language: 'en' }

function opened() {
  const file = join(tempDir(), 'store.sqlite')
  const open = () => sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  const store = open()
  onTestFinished(() => store.close())
  return { file, store, open }
}

/** What is counted, and what the rows themselves say. */
function bothCounts(file: string) {
  const db = new DatabaseSync(file)
  const of = (query: string) => db.prepare(query).all()
  const kept = of('SELECT kind, quarter, number FROM counts WHERE number <> 0 ORDER BY 1, 2')
  const found = of(`
    SELECT 'signUps' AS kind,
      unixepoch(coalesce(signedUpAt, data ->> 'subscribedAt')) / 900 AS quarter, count(*) AS number
      FROM documents WHERE signedUpAt IS NOT '' GROUP BY 2
    UNION ALL SELECT 'imported', 0, count(*) FROM documents WHERE signedUpAt = '' HAVING count(*) > 0
    UNION ALL SELECT standing, iif(isImported, 0, unixepoch(at) / 900), count(*) FROM standings
      WHERE listed IS NOT 0 GROUP BY 1, 2
    UNION ALL SELECT 'confirmed', 0, count(*) FROM extras
      WHERE fields ->> '$.consent' IS NOT NULL HAVING count(*) > 0
    UNION ALL SELECT 'toConfirm', 0, count(*) FROM pending
      WHERE data ->> 'confirmedAt' IS NULL AND data ->> 'listedAt' IS NULL HAVING count(*) > 0
    ORDER BY 1, 2`)
  db.close()
  return { kept, found }
}

it('keeps counts that are what the rows say, whatever is done to the list', async () => {
  const { file, store } = opened()
  await Promise.all(['ada', 'bob', 'cleo', 'dan'].map((who) => store.list.add(email(who))))
  await store.list.add(email('ada'))
  await store.list.add(email('robot'), { suspicion: 'too-quick' })
  await store.list.importAll(
    ['old', 'older', 'ada'].map((who, i) => ({
      email: email(who),
      subscribedAt: new Date(Date.UTC(2026, 0, 9 - i)),
      ...(who === 'old' && { standing: 'bounced' as const, standingAt: new Date() }),
    })),
  )
  await store.standings.unsubscribe(ids.of(email('bob')))
  await store.standings.unsubscribe(ids.of(email('nobody')))
  await store.standings.set([{ email: email('stranger'), standing: 'complained' }])
  await store.list.add(email('stranger'))
  await store.list.add(email('bob'))
  await store.standings.forget(email('cleo'))
  await store.standings.forget(email('older'))
  await store.list.add(email('cleo'))
  for (const who of ['eve', 'fay', 'gus'])
    await store.outbox.requestConfirmation(email(who), { shown, isCrowd: false })
  await store.outbox.claimLetters(9, 60_000, ({ email, at }) => ({
    pending: { email, askedAt: at, shown, letters: 1 },
  }))
  const answer = (who: string, consent: boolean) =>
    store.outbox.changePending(ids.of(email(who)), ({ pending }, now) => ({
      result: undefined,
      ...(pending && { pending: { ...pending, confirmedAt: now, how: 'code' as const } }),
      consent: consent
        ? {
            ...shown,
            messageId: '<1@example.com>',
            letterDigest: 'a',
            how: 'code' as const,
            askedAt: now.toISOString(),
            confirmedAt: now.toISOString(),
          }
        : null,
    }))
  await answer('eve', true)
  await answer('fay', true)
  await answer('fay', false)
  const { kept, found } = bothCounts(file)
  expect(kept).toEqual(found)
  expect(Object.fromEntries(kept.map(({ kind, number }) => [kind, number]))).toMatchObject({
    confirmed: 1,
    toConfirm: 1,
    pending: 1,
    quarantined: 1,
  })
  expect((await store.growth.since(new Date(0))).confirmed).toBe(1)
})

it('tells of every commit, of others and its own', async () => {
  const { store, open } = opened()
  const other = open()
  onTestFinished(() => other.close())
  await store.list.add(email('first'))
  let told = 0
  const stop = store.growth.watch(() => {
    told += 1
  })
  // The first look only says where it begins.
  await expect
    .poll(() => other.list.add(email(`${Math.random()}`)).then(() => told))
    .toBeGreaterThan(0)

  for (const who of [other, store]) {
    const before = told
    await who.list.add(email(`${Math.random()}`))
    await expect.poll(() => told, { interval: 20 }).toBeGreaterThan(before)
  }
  stop()
})
