import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ids } from '../../fixtures/keys.ts'
import { receipt } from '../../fixtures/receipt.ts'
import { standingCounts } from '../../fixtures/standing-counts.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const email = (who: string) => `${who}@example.com`
const shown = { words: '', page: '', language: 'en' }

function opened() {
  const file = join(tempDir(), 'store.sqlite')
  const open = () => sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  const store = open()
  onTestFinished(() => store.close())
  return { store, open }
}

it('keeps counts that are what the rows say, whatever is done to the list', async () => {
  const { store } = opened()
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
      consent: consent ? receipt(now) : null,
    }))
  await answer('eve', true)
  await answer('fay', true)
  await answer('fay', false)
  await store.counts.check(new AbortController().signal)
  expect((await store.counts.last())?.wrong).toEqual([])
  expect((await store.growth.since(new Date(0))).confirmed).toBe(1)
  expect(await standingCounts(store)).toMatchObject({ pending: 1, quarantined: 1 })
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
