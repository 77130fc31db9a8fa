/** @module-tag thorough */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { enlist } from '../fixtures/enlist.ts'
import { ids } from '../fixtures/keys.ts'
import { copyOf } from '../fixtures/merged-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { amount, chance, report, seed } from './form.ts'

const MOMENTS = amount(7, 200)
const PEOPLE = 12
const letter = { subject: 'We are open', digest: 'a digest' }

const open = (file: string) => sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })

type TestStore = ReturnType<typeof open>

/** Who would be mailed, and who would be told when the announcement goes on, once all is taken in. */
async function stateOf(store: TestStore) {
  await store.inbox.takeInAll()
  const [mailed, open, told]: [string[], Set<string>, Set<string>] = [[], new Set(), new Set()]
  for await (const { email } of store.list.stream({ standing: 'subscribed' })) mailed.push(email)
  for await (const { email = '', status } of store.ledger.deliveries('launch')) {
    if (status === 'queued' || status === 'sending') open.add(email)
    if (status === 'sent' || status === 'uncertain') told.add(email)
  }
  return { mailed: mailed.toSorted(), open, told }
}

/** Something that happens to somebody, or to the announcement. */
async function happen(store: TestStore, random: () => number): Promise<void> {
  const email = `somebody${Math.floor(random() * PEOPLE)}@example.com`
  const things: readonly (() => Promise<unknown>)[] = [
    ...Array.from({ length: 4 }, () => () => store.list.add(email)),
    () => store.list.add(email, { suspicion: 'too-quick' }),
    () => store.standings.unsubscribe(ids.of(email)),
    () => store.standings.forget(email),
    () => store.standings.set([{ email, standing: 'bounced' }]),
    () => store.standings.set([{ email, standing: 'complained' }]),
    () => store.list.importAll([{ email, subscribedAt: new Date(Date.now() - 1000) }]),
    () => tell(store, random),
    () => tell(store, random),
  ]
  await things[Math.floor(random() * things.length)]?.()
}

async function tell(store: TestStore, random: () => number): Promise<void> {
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', letter, true)
  const some = []
  for await (const { email, subscribedAt } of store.list.stream({ standing: 'subscribed' }))
    some.push({ email, subscribedAt })
  await enlist(store, 'me', 'launch', some)
  await store.ledger.countEligible('me', 'launch')
  const claimed = await store.ledger.claim('me', 'launch', { limit: 2, which: 'untried' })
  await store.ledger.record(
    ...(['me', 'launch'] as const),
    claimed.map(({ number, tries }) => ({
      ...({ number, tries, status: random() < 0.7 ? 'sent' : 'failed', answer: '250' } as const),
    })),
  )
}

it('each of many moments is restored into each other one, and onto nothing: nobody who left is back, nobody is told twice', {
  timeout: 60_000 + MOMENTS * MOMENTS * 1000,
}, async (context) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const random = chance(seed)
  const folder = tempDir()
  const store = open(join(folder, 'subscribers.sqlite'))
  onTestFinished(() => store.close())
  const moments: { file: string; state: Awaited<ReturnType<typeof stateOf>> }[] = []
  while (moments.length < MOMENTS) {
    for (let things = 0; things < 6; things += 1) {
      vi.setSystemTime(Date.now() + 10_000)
      await happen(store, random)
    }
    // Some wait in it to be taken in.
    const file = await copyOf(store)
    moments.push({ file, state: await asList(file, stateOf) })
    if (random() < 0.3) await store.inbox.takeInAll()
  }
  let merges = 0
  for (const [at, moment] of moments.entries()) {
    const { file, state } = moment
    const restored = await asList(file, async (nothing) => {
      await nothing.becomeList(new Date())
      return stateOf(nothing)
    })
    expect(restored.mailed).toEqual(state.mailed)
    expect([...restored.open]).toEqual([])
    for (const later of moments.slice(at))
      for (const [into, copy] of [
        [later, file],
        [moment, later.file],
      ] as const)
        await asList(into.file, async (list) => {
          await list.restore(copy, { isBelieved: true })
          const { mailed, open: left } = await stateOf(list)
          expect(mailed, `seed ${seed}, moment ${at}`).toEqual(later.state.mailed)
          const { open } = copy === file ? state : later.state
          for (const email of [...later.state.told, ...state.told, ...open])
            expect(left.has(email), `${email} would be told again, seed ${seed}`).toBe(false)
          const [tally] = await store.ledger.announcements()
          const kept = await list.ledger.findAnnouncement('launch')
          if (tally && kept) expect(kept.tally).toMatchObject(await list.ledger.counted('launch'))
          merges += 1
        })
  }
  report(context, {
    done: 'copies of one history restored into one another',
    times: merges,
    result: 'nobody who left is back, nobody is told twice',
  })

  /** The list as it was, with what was open; it is gone afterwards, since of tens of thousands each takes room. */
  async function asList<T>(file: string, work: (list: TestStore) => Promise<T>): Promise<T> {
    const path = join(folder, 'list.sqlite')
    copyFileSync(file, path)
    const list = open(path)
    try {
      return await work(list)
    } finally {
      await list.close()
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    }
  }
})
