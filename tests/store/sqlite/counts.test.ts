import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { marksOf } from '../../../src/people/places.ts'
import { personIn, unreadable } from '../../../src/people/stored.ts'
import { ids } from '../../fixtures/keys.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
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

/** What is counted, and what the people themselves say. */
function bothCounts(file: string) {
  const db = new DatabaseSync(file)
  const kept = new Map(
    db
      .prepare('SELECT name, number FROM counters WHERE number <> 0')
      .all()
      .map(({ name, number }) => [String(name), Number(number)]),
  )
  const found = new Map<string, number>()
  for (const { data } of db.prepare('SELECT data FROM persons').all()) {
    const person = personIn(data)
    if (person !== unreadable)
      for (const name of marksOf(person, ids).counters) found.set(name, (found.get(name) ?? 0) + 1)
  }
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
    await store.requests.requestConfirmation(email(who), { shown, isCrowd: false })
  await store.requests.claimLetters(9, 60_000, ({ email, at }) => ({
    pending: { email, askedAt: at, shown, letters: 1 },
  }))
  const answer = (who: string, consent: boolean) =>
    store.requests.changePending(ids.of(email(who)), ({ pending }, now) => ({
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
  expect(Object.fromEntries(kept)).toMatchObject({
    confirmed: 1,
    toConfirm: 1,
    'is:pending': 1,
    'is:quarantined': 1,
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
