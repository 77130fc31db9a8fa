import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../../src/keys/address-id.ts'
import { lateArrival, signUpArrival } from '../../../src/store/arrival.ts'
import { wholeLook } from '../../../src/store/inbox-rules.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { copyOf } from '../../fixtures/merged-copy.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

/* What was found in Firestore waits to be judged in the order of its times, beside what waits of our page. */

const [ada, bob, cy, dee] = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
const state = { generation: 1, noes: 0, at: 0, lookedAt: {}, lastReads: 0 }

async function open() {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  await store.collecting.begin({ ...state, list: 'ours', key: 'a'.repeat(43) })
  return { ...store, file }
}

type TestStore = Awaited<ReturnType<typeof open>>

const find = ({ collecting }: TestStore, found: readonly (readonly [email: string, at: Date])[]) =>
  collecting.keepFound(
    found.map(([email, at]) => ({ id: `${email} ${at.toISOString()}`, email, at })),
    (fresh) => ({ ...wholeLook, fresh }),
  )

async function judgeAll({ collecting, inbox }: TestStore, suspicion?: string) {
  const judged: string[] = []
  while (
    await collecting.appendFound(1, ({ email, at }) => {
      judged.push(email)
      return lateArrival(signUpArrival(email, { suspicion }), at)
    })
  )
    await inbox.takeInAll()
  return judged
}

const standingOf = async ({ standings }: TestStore, email: string) =>
  (await standings.of(email))?.standing

it('it is kept once, judged in order, and nobody by it before', async () => {
  const store = await open()
  const found = [[ada, ago(10)] as const, [bob, ago(30)] as const, [cy, ago(20)] as const]
  expect(await find(store, found)).toMatchObject({ fresh: 3 })
  expect(await find(store, found)).toMatchObject({ fresh: 0 })
  await store.inbox.takeInAll()
  expect([await store.list.count(), (await store.inbox.waiting()).entries]).toEqual([0, 0])
  expect(await judgeAll(store)).toEqual([bob, cy, ada])
  expect([await store.list.count(), await store.collecting.counted()]).toEqual([3, 3])
  expect(await judgeAll(store)).toEqual([])
})

it('it keeps no press of its owner waiting for who writes', async () => {
  const store = await open()
  await find(store, [[ada, ago(10)] as const])
  const writer = new DatabaseSync(store.file)
  onTestFinished(() => writer.close())
  writer.exec('BEGIN IMMEDIATE')
  expect(await store.requests.changePending(ids.of(ada), () => ({ result: 1 }))).toBe(1)
})

it('under another link.key none is kept', async () => {
  const { file } = await open()
  const other = addressIds(Buffer.alloc(32, 7))
  const store = sqliteStore({ file, appId: 'test', addressIds: other, log: () => {} })
  onTestFinished(() => store.close())
  await expect(find({ ...store, file }, [[ada, ago(10)]])).rejects.toThrow('LINK_KEY')
})

it('its own time decides, though its owner says no, or the operator erases them, before it is judged', async () => {
  const store = await open()
  await find(store, [[dee, ago(20)]])
  await judgeAll(store, 'domain-share')
  await find(store, [
    [dee, ago(10)],
    [ada, ago(10)],
    [bob, ago(10)],
    [cy, new Date(Date.now() + 60_000)],
  ])
  expect(await store.quarantine.erase([dee])).toEqual([dee])
  await store.standings.unsubscribe(ids.of(ada))
  await store.standings.set([{ email: cy, standing: 'unsubscribed', at: ago(1) }])
  await store.standings.forget(bob)
  expect(await judgeAll(store, 'domain-share')).toEqual([ada, cy])
  expect(await standingOf(store, ada)).toBe('unsubscribed')
  expect(await standingOf(store, cy)).toBe('quarantined')
  expect(await standingOf(store, bob)).toBe('forgotten')
})

it('a no that is said meanwhile is later than it, and erases it at Google too, however slow our clock', async () => {
  const store = await open()
  const inTenMinutes = ago(-600)
  await find(
    store,
    [ada, bob, cy, dee].map((email) => [email, inTenMinutes] as const),
  )
  await store.standings.unsubscribe(ids.of(ada))
  await store.standings.set([{ email: bob, standing: 'unsubscribed' }])
  await store.standings.forget(cy)
  // Also where it waits in line by then.
  await store.collecting.appendFound(9, ({ email, at }) =>
    lateArrival(signUpArrival(email, {}), at),
  )
  await store.standings.forgetAll([dee])
  await store.inbox.takeInAll()
  const all = await Promise.all([ada, bob, cy, dee].map((email) => standingOf(store, email)))
  expect(all).toEqual(['unsubscribed', 'unsubscribed', 'forgotten', 'forgotten'])
  const erasures = await store.collecting.erasures(9)
  expect(erasures.map(({ at }) => at >= inTenMinutes)).toEqual([true, true])
})

it('a no is to be told once, with the key of its address, also of who is known by no more', async () => {
  const store = await open()
  const { collecting, standings } = store
  const told = async () => (await collecting.untoldNoes(9)).map(({ standing }) => standing)
  await find(store, [[ada, ago(10)]])
  await judgeAll(store)
  expect(await told()).toEqual([])
  await standings.unsubscribe(ids.of(ada))
  const noes = await collecting.untoldNoes(9)
  await standings.forget(ada)
  // What was told is not what is so by now.
  await collecting.noteTold(noes)
  expect(await told()).toEqual(['forgotten'])
  await collecting.noteTold(await collecting.untoldNoes(9))
  expect(await told()).toEqual([])
  await find(store, [[ada, new Date(Date.now() + 60_000)]])
  await judgeAll(store)
  await standings.forget(bob)
  expect(await told()).toEqual(['forgotten'])
})

it('who said no to a list that is lost comes back by no file, by our own page at once, and by a later document', async () => {
  const lost = await open()
  for (const email of [ada, bob, cy]) await lost.standings.forget(email)
  const store = await open()
  await store.collecting.keepNoes(await lost.collecting.untoldNoes(9))
  await store.list.importAll([{ email: ada, subscribedAt: ago(5) }])
  await store.list.add(bob)
  await store.inbox.takeInAll()
  await find(store, [[cy, ago(60)]])
  await judgeAll(store)
  const all = () => Promise.all([ada, bob, cy].map((email) => standingOf(store, email)))
  expect(await all()).toEqual(['forgotten', undefined, 'forgotten'])
  // More of it is at Google than the list knew that had to erase it.
  expect((await store.collecting.erasures(9)).map(({ email }) => email)).toEqual([cy])
  await find(store, [[cy, new Date(Date.now() + 60_000)]])
  await judgeAll(store)
  expect(await all()).toEqual(['forgotten', undefined, undefined])
})

it('a copy brings it to no other list, which finds it itself', async () => {
  const store = await open()
  await find(store, [[ada, ago(10)]])
  await store.list.add(bob)
  const other = await open()
  await other.restore(await copyOf(store), { isBelieved: true })
  expect([await other.list.count(), await judgeAll(other)]).toEqual([1, []])
})
