import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import type { HeardRefusal, Refusal } from '../../../src/store/refusal.ts'
import { ids } from '../../fixtures/keys.ts'
import { nextMillisecond } from '../../fixtures/next-millisecond.ts'
import { standingCounts } from '../../fixtures/standing-counts.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, n, 12))
const ada = 'ada@example.com'

/** A list of some people at each of these domains. */
async function listOf(people: Readonly<Record<string, number>> = { 'example.com': 0 }) {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  const emails = Object.entries(people).flatMap(([domain, count]) =>
    Array.from({ length: count }, (_, i) => `person${i}@${domain}`),
  )
  await store.list.importAll([ada, ...emails].map((email) => ({ email, subscribedAt: day(1) })))
  let number = 0
  const refused = (email: string, refusal: Refusal, at: Date): HeardRefusal => ({
    email,
    refusal,
    at,
    report: `report ${number++}`,
  })
  const stands = async (email = ada) => (await store.standings.of(email))?.standing
  const bounced = async () => (await standingCounts(store)).bounced
  return { file, store, emails, refused, stands, bounced }
}

it('books who is gone at once, a full mailbox at the third report, and nothing else ever', async () => {
  const { store, refused, stands } = await listOf()
  const hear = async (...heard: HeardRefusal[]) => (await store.refusals.hear(heard)).at(-1)
  for (let n = 2; n < 9; n++) expect(await hear(refused(ada, 'other', day(n)))).toBe(false)
  const twice = refused(ada, 'full', day(9))
  for (const one of [twice, twice, twice, refused(ada, 'full', day(10)), twice])
    expect(await hear(one)).toBe(false)
  expect(await stands()).toBeUndefined()
  // Too late to be the third within two weeks.
  expect(await hear(refused(ada, 'full', day(24)))).toBe(false)
  expect(await hear(refused(ada, 'full', day(23)))).toBe(true)
  expect(await stands()).toBe('bounced')
  // Who is not on the list may be imported one day.
  expect(await hear(refused('new@example.com', 'full', day(9)))).toBe(false)
  expect(await hear(refused('new@example.com', 'gone', day(9)))).toBe(true)
})

it('takes the place of no other standing, so that a bounce can be taken back', async () => {
  const { store, refused, stands } = await listOf()
  await store.standings.unsubscribe(ids.of(ada))
  expect(await store.refusals.hear([refused(ada, 'gone', new Date())])).toEqual([false])
  expect(await store.refusals.lift(ada)).toBe(false)
  expect(await stands()).toBe('unsubscribed')
  await store.list.add(ada)
  const report = refused(ada, 'gone', new Date())
  expect(await store.refusals.hear([report])).toEqual([true])
  await nextMillisecond()
  // Whoever presses the link meanwhile has said no.
  expect(await store.refusals.lift(ada)).toBe(true)
  expect(await stands()).toBeUndefined()
  // The same report, read again, is older than that.
  expect(await store.refusals.hear([report])).toEqual([false])
  expect(await store.refusals.hear([refused(ada, 'gone', new Date(Date.now() + 1))])).toEqual([
    true,
  ])
  await store.standings.unsubscribe(ids.of(ada))
  expect(await store.refusals.lift(ada)).toBe(false)
  expect(await stands()).toBe('unsubscribed')
})

it('is an alarm, and no bounce, where one provider refuses many in a day', async () => {
  const { store, emails, refused, stands, bounced } = await listOf({ 'one.org': 60, 'two.org': 60 })
  const since = new Date()
  const some = emails.filter((_, i) => i % 60 < 30)
  for (const [i, email] of some.entries()) {
    const isOther = email.endsWith('@two.org')
    // Two days, of which neither has many.
    await store.refusals.hear([refused(email, 'gone', day(isOther ? 2 + (i % 2) : 2))])
    if (i === 18) expect([await bounced(), await store.refusals.many(since)]).toEqual([19, []])
    if (i === 29) expect(await bounced()).toBe(0)
  }
  expect(await bounced()).toBe(30)
  const many = [{ domain: 'one.org', day: '2026-01-02', people: 30, of: 60 }]
  expect(await store.refusals.many(since)).toEqual(many)
  // Read again, as a file is.
  const again = some.slice(0, 30).map((email) => refused(email, 'gone', day(2)))
  expect(new Set(await store.refusals.hear(again))).toEqual(new Set([false]))
  expect(await store.refusals.many(since)).toEqual(many)
  // On another day it counts.
  expect(await store.refusals.hear([refused('person0@one.org', 'gone', day(3))])).toEqual([true])
  // Nobody is let in who did not bounce by it.
  expect(await stands('person31@two.org')).toBeUndefined()
  await store.standings.set([{ email: ada, standing: 'bounced' }])
  expect(await bounced()).toBe(32)
})

it('is erased with the person, and after two weeks', async () => {
  const { file, store, refused } = await listOf({ 'one.org': 1 })
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  const kept = () => db.prepare('SELECT addressId FROM refusals').all().length
  await store.refusals.hear([
    refused(ada, 'full', day(2)),
    refused('person0@one.org', 'full', day(2)),
  ])
  expect(kept()).toBe(2)
  await store.standings.forget(ada)
  expect(kept()).toBe(1)
  db.prepare(`UPDATE refusals SET heardAt = '2026-01-01T00:00:00.000Z'`).run()
  await store.refusals.hear([])
  expect(kept()).toBe(0)
})
