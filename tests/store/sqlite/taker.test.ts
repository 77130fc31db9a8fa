import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { addressIds } from '../../../src/keys/address-id.ts'
import { FOUND } from '../../../src/store/arrival.ts'
import { holdAlone } from '../../../src/store/sole-holder.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const shown = { words: 'Tell me', page: 'a1', language: 'en' }
const inAnHour = () => new Date(Date.now() + 3_600_000)
const [ada, bob, eve] = ['ada@example.com', 'bob@example.com', 'eve@example.com']

let file = ''
beforeEach(() => {
  file = join(tempDir(), 'store.sqlite')
})

function open(keys = ids) {
  const said: string[] = []
  const log = (message: string) => void said.push(message)
  const store = sqliteStore({ file, appId: 'test', addressIds: keys, log })
  onTestFinished(() => store.close())
  return { ...store, said }
}

/** Ada has left once all is taken in, and is back by a sign-up after that. */
async function expectGoneUntilBack({ list, inbox, standings }: ReturnType<typeof open>) {
  await inbox.takeInAll()
  expect(await standings.of(ada)).toMatchObject({ standing: 'unsubscribed' })
  await list.add(ada)
  await inbox.takeInAll()
  expect(await standings.of(ada)).toBeUndefined()
}

function change<T>(look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file)
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const records = () =>
  change((db) => db.prepare('SELECT email FROM subscribers').all()).map(({ email }) => email)

it('a sign-up is at its path once it is thanked, and nobody on the list by it until it is taken in', async () => {
  const { list, inbox } = open()
  for (const email of [ada, ada, bob]) await list.add(email)
  expect(records()).toEqual([ada, ada, bob])
  expect(await list.find(ada)).toBeUndefined()
  expect(await list.count()).toBe(0)
  expect(await inbox.waiting()).toMatchObject({ entries: 3, setAside: 0, isOtherKey: false })
  await inbox.takeInAll()
  expect(records()).toEqual([ada, bob])
  expect(await list.count()).toBe(2)
  expect(await inbox.waiting()).toMatchObject({ entries: 0, seconds: 0 })
})

it('a repeat that came last gives its number to nobody', async () => {
  const { list, inbox } = open()
  for (const email of [ada, ada]) await list.add(email)
  await inbox.takeInAll()
  await list.add(bob)
  await inbox.takeInAll()
  expect(await list.count()).toBe(2)
})

it('who leaves while their sign-up waits stays away, and who came back after that is back', async () => {
  const store = open()
  const { list, standings } = store
  await list.add(ada)
  await standings.unsubscribe(ids.of(ada))
  await expectGoneUntilBack(store)
})

it('who is suppressed while they wait is, by any clock, and a sign-up after it lifts what a clock set wrong', async () => {
  const store = open()
  const { list, standings } = store
  await list.add(ada)
  await standings.set([{ email: ada, standing: 'unsubscribed', at: inAnHour() }])
  await expectGoneUntilBack(store)
})

it('whose mailbox is full while they wait is on the list for that, and bounces at the third report', async () => {
  const { list, inbox, refusals, standings } = open()
  await list.add(ada)
  const day = (n: number) => new Date(Date.now() + n * 86_400_000)
  const full = (n: number) => ({ email: ada, refusal: 'full', report: `${n}`, at: day(n) }) as const
  expect(await refusals.hear([full(1), full(2)])).toEqual([false, false])
  expect(await refusals.hear([full(3)])).toEqual([true])
  await inbox.takeInAll()
  expect(await standings.of(ada)).toMatchObject({ standing: 'bounced' })
})

it('who leaves takes in no more than people leave by hand: what a robot left besides waits, and brings nobody back', async () => {
  const store = open()
  await Promise.all(Array.from({ length: 1500 }, () => store.list.add(ada)))
  await store.standings.unsubscribe(ids.of(ada))
  expect((await store.inbox.waiting()).entries).toBe(500)
  await expectGoneUntilBack(store)
})

it('who is forgotten while they wait leaves no byte, and does not come back', async () => {
  const { list, requests, replies, inbox, standings } = open()
  await list.add(ada, { key: 'x' })
  await replies.keep(ada, 'Bonn', 'x')
  await replies.keepFromLetter(ids.of(ada), 'Bonn')
  await requests.requestConfirmation(ada, { shown, isCrowd: false })
  await requests.requestConfirmation(bob, { shown, isCrowd: false, referredBy: ids.of(ada) })
  await standings.forget(ada)
  const left = change((db) => db.prepare('SELECT data, seen FROM documents').all())
  expect(JSON.stringify(left)).not.toContain(ada)
  expect(JSON.stringify(left)).not.toContain(ids.of(ada))
  await inbox.takeInAll()
  expect(await list.find(ada)).toBeUndefined()
  expect(await requests.counts()).toMatchObject({ waiting: 1 })
})

/** Nobody whose value has this can be written. @returns ends that. */
function poison(what = '@') {
  change((db) => {
    for (const change of ['INSERT', 'UPDATE'])
      db.exec(`CREATE TRIGGER poison${change} BEFORE ${change} ON persons
        WHEN new.data LIKE '%${what}%' BEGIN SELECT raise(ABORT, 'poison'); END`)
  })
  return () => change((db) => db.exec('DROP TRIGGER poisonINSERT; DROP TRIGGER poisonUPDATE'))
}

it('one that cannot be taken in stops no other, is set aside, and is tried at the next start', async () => {
  const { list, inbox } = open()
  for (const email of [ada, bob, eve]) await list.add(email)
  const cure = poison(bob)
  await inbox.takeInAll()
  expect(await list.count()).toBe(2)
  expect(await inbox.waiting()).toMatchObject({ entries: 0, setAside: 1 })
  cure()
  // No line of ours: it keeps no announcement from those who came after it.
  const strange = "INSERT INTO documents (collection, data, waits) VALUES ('', '{}', 7)"
  change((db) => db.exec(strange))
  expect(await inbox.waiting()).toMatchObject({ entries: 0 })
  // Another process has the file for a moment.
  const writer = new DatabaseSync(file)
  writer.exec('BEGIN IMMEDIATE')
  const { close } = inbox.takeInUntilClosed()
  await sleep(300)
  writer.close()
  await expect.poll(() => list.count()).toBe(3)
  await close()
  expect(await inbox.waiting()).toMatchObject({ setAside: 0 })
})

it('what fails for everybody sets nobody aside: they wait until it is over', async () => {
  const { list, inbox } = open()
  for (const email of [ada, bob]) await list.add(email)
  const cure = poison()
  for (let times = 0; times < 4; times++)
    await expect(inbox.takeInAll()).rejects.toThrow(StoreUnavailable)
  expect(await inbox.waiting()).toMatchObject({ entries: 2, setAside: 0 })
  cure()
  await inbox.takeInAll()
  expect(await list.count()).toBe(2)
})

it('who cannot be taken in can leave, and stays away once they can, also where the clock was ahead', async () => {
  const { list, inbox, standings } = open()
  const bobs = 'INSERT INTO persons (id, data) VALUES (?, ?)'
  vi.useFakeTimers({ toFake: ['Date'], now: inAnHour() })
  onTestFinished(() => void vi.useRealTimers())
  for (const email of [ada, bob, eve]) await list.add(email)
  const cure = poison('signedUp')
  vi.useRealTimers()
  await standings.unsubscribe(ids.of(ada))
  cure()
  expect(await inbox.waiting()).toMatchObject({ entries: 2, setAside: 1 })
  change((db) => db.prepare(bobs).run(ids.of(bob), 'nothing'))
  await inbox.takeInAll()
  await standings.unsubscribe(ids.of(bob))
  change((db) => db.exec("DELETE FROM persons WHERE data = 'nothing'"))
  await standings.unsubscribe(ids.of(bob))
  const { close } = inbox.takeInUntilClosed()
  await expect.poll(() => inbox.waiting()).toMatchObject({ entries: 0, setAside: 0 })
  await close()
  for (const email of [ada, bob])
    expect(await standings.of(email), email).toMatchObject({ standing: 'unsubscribed' })
  expect(await standings.of(eve)).toBeUndefined()
})

it('somebody who cannot be read is not written over, and what they left is kept', async () => {
  const { list, inbox } = open()
  await list.add(ada)
  await inbox.takeInAll()
  change((db) => db.exec("UPDATE persons SET data = 'nothing'"))
  await list.add(ada)
  await inbox.takeInAll()
  expect(change((db) => db.prepare('SELECT data FROM persons').get()?.data)).toBe('nothing')
  expect(await inbox.waiting()).toMatchObject({ entries: 0, setAside: 1 })
})

it('one process takes in, and who needs the list waits until all is in that was left before', async () => {
  const server = open()
  const command = open()
  for (const email of [ada, bob]) await server.list.add(email)
  const taking = server.inbox.takeInUntilClosed()
  const idle = command.inbox.takeInUntilClosed()
  await Promise.all([command.inbox.takeInAll(), server.inbox.takeInAll()])
  expect(await command.list.count()).toBe(2)
  await Promise.all([taking.close(), idle.close()])
})

it('what waits is taken in also while visitors leave no moment free', async () => {
  const { list, inbox } = open()
  const emails = Array.from({ length: 200 }, (_, n) => `${n}@example.com`)
  await Promise.all(emails.map((email) => list.add(email)))
  const taking = inbox.takeInUntilClosed()
  while ((await inbox.waiting()).entries > 0) await nextTurn()
  await taking.close()
  expect(await list.count()).toBe(200)
})

it('a lock that cannot be used, or whose holder does nothing, keeps nobody waiting', async () => {
  const { list, inbox, said } = open()
  await list.add(ada)
  writeFileSync(join(dirname(file), 'subscribers.inbox.lock'), 'nothing of SQLite')
  await inbox.takeInAll()
  expect(await list.count()).toBe(1)
  expect(said).toEqual([expect.stringContaining('subscribers.inbox.lock cannot be used')])
  rmSync(join(dirname(file), 'subscribers.inbox.lock'))
  const letGo = holdAlone(join(dirname(file), 'subscribers.inbox.lock'))
  onTestFinished(() => letGo?.())
  await list.add(bob)
  await inbox.takeInAll()
  expect(await list.count()).toBe(2)
}, 20_000)

it('under another link.key all is kept and nothing is taken in, which is said', async () => {
  const own = open()
  await own.standings.unsubscribe(ids.of(eve))
  const other = open(addressIds(Buffer.alloc(32, 7)))
  await other.list.add(ada)
  await expect(other.inbox.takeInAll()).rejects.toThrow('LINK_KEY')
  expect(await other.inbox.waiting()).toMatchObject({ entries: 1, isOtherKey: true })
  // Whose it is, is known again.
  await own.standings.unsubscribe(ids.of(ada))
  await own.inbox.takeInAll()
  expect(await own.list.count()).toBe(1)
  expect(await own.standings.of(ada)).toMatchObject({ standing: 'unsubscribed' })
})

it('the first who come bind a list to the link.key, also before they are taken in', async () => {
  const own = open()
  await own.list.add(ada)
  const other = open(addressIds(Buffer.alloc(32, 7)))
  await expect(other.standings.forget(ada)).rejects.toThrow('LINK_KEY')
  await own.standings.forget(ada)
  await own.inbox.takeInAll()
  expect(await own.list.find(ada)).toBeUndefined()
})

it('what came under another link.key is named in pieces, so that a process that is killed keeps what it did', async () => {
  await open().standings.unsubscribe(ids.of(eve))
  const other = open(addressIds(Buffer.alloc(32, 7)))
  const many = Array.from({ length: 1200 }, (_, n) => `${n}@example.com`)
  await Promise.all([...many, bob].map((email) => other.list.add(email)))
  change((db) =>
    db.exec(`CREATE TRIGGER killed BEFORE UPDATE ON documents
      WHEN old.data LIKE '%${bob}%' BEGIN SELECT raise(ABORT, 'killed'); END`),
  )
  const { standings, inbox } = open()
  await expect(standings.unsubscribe(ids.of(bob))).rejects.toThrow('killed')
  const unnamed = "SELECT count(*) AS n FROM documents WHERE waits NOTNULL AND addressId = ''"
  const left = () => change((db) => Number(db.prepare(unnamed).get()?.n))
  expect(left()).toBeLessThan(1000)
  change((db) => db.exec('DROP TRIGGER killed'))
  await standings.unsubscribe(ids.of(bob))
  expect(left()).toBe(0)
  await inbox.takeInAll()
  expect(await standings.of(bob)).toMatchObject({ standing: 'unsubscribed' })
})

it('too much that waits in line leaves no room for more, and what was found elsewhere takes none', async () => {
  await open().list.add(ada)
  const fill = (waits: number) =>
    change((db) =>
      db.exec(`
        WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < 20200)
        INSERT INTO documents (collection, data, waits, seen, addressId)
        SELECT '', hex(zeroblob(iif(n > 20000, 30000, 1))), ${waits}, '{}', '-' FROM rows`),
    )
  fill(FOUND)
  const visited = open()
  for (const email of [bob, eve]) await visited.list.add(email)
  fill(1)
  const full = open()
  await full.list.add(bob)
  await expect(full.list.add(eve)).rejects.toThrow('Too much waits')
})

it('an announcement is for nobody who waits before those who are in, and whose number is lower', async () => {
  const { list, inbox, lock, ledger } = open()
  await list.add(ada)
  await inbox.takeInAll()
  await list.add(bob, { suspicion: 'hidden-field' })
  await list.add(eve)
  change((db) => db.exec('UPDATE documents SET waits = 9 WHERE waits = 2'))
  await inbox.takeInAll()
  change((db) => db.exec('UPDATE documents SET waits = 2 WHERE waits = 9'))
  await lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 60_000)
  const { upTo } = await ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
  expect(upTo).toBe(1)
  await inbox.takeInAll()
  expect(await ledger.countEligible('me', 'launch')).toMatchObject({ eligible: 1 })
})

it('nothing is taken in while the log is long and somebody reads it, and everything after that', async () => {
  const { list, inbox } = open()
  const reader = new DatabaseSync(file)
  await list.add(ada)
  reader.exec('BEGIN; SELECT * FROM documents')
  await list.add(bob)
  truncateSync(`${file}-wal`, 300 * 1024 * 1024)
  const { close } = inbox.takeInUntilClosed()
  await sleep(300)
  expect(await list.count()).toBe(0)
  reader.close()
  await expect.poll(() => list.count()).toBe(2)
  await close()
  expect(statSync(`${file}-wal`).size).toBeLessThan(2 ** 20)
})

it('who was forgotten, came back and leaves by an earlier letter stays away, however many wait behind', async () => {
  const store = open()
  const { list, standings } = store
  await list.add(ada)
  await standings.forget(ada)
  await list.add(ada)
  const many = Array.from({ length: 5000 }, (_, i) => list.add(`${i}@example.com`))
  await Promise.all(many)
  await standings.unsubscribe(ids.of(ada))
  await expectGoneUntilBack(store)
})

it('whoever is asked again after a no is asked, also where the clock was set back since', async () => {
  const { requests, inbox, standings } = open()
  const ask = () => requests.requestConfirmation(ada, { shown, isCrowd: false })
  await standings.set([{ email: ada, standing: 'unsubscribed', at: inAnHour() }])
  await ask()
  await inbox.takeInAll()
  const decide = vi.fn(() => ({}))
  await requests.claimLetters(1, 60_000, decide)
  expect(decide).toHaveBeenCalledOnce()
})

it('who only looks takes nothing in, and what is said of somebody else neither', async () => {
  const { list, requests, inbox, standings } = open()
  await standings.unsubscribe(ids.of(eve))
  for (const email of [ada, bob]) await list.add(email)
  await requests.lookAt(ids.of(ada), () => {})
  await standings.unsubscribe(ids.of(eve))
  expect(await inbox.waiting()).toMatchObject({ entries: 2 })
})

it('who has an account before their sign-up is taken in is known to have one', async () => {
  const { list, inbox } = open()
  await list.add(ada)
  await list.addFields([{ addressId: ids.of(ada), fields: { came: '2026-01-01T00:00:00.000Z' } }])
  await inbox.takeInAll()
  for await (const one of list.stream()) expect(one.extra).toHaveProperty('came')
  expect(await list.count()).toBe(1)
})

it('where the clock was set back, a repeat changes nothing, and the last reply counts', async () => {
  const { list, inbox, replies } = open()
  vi.useFakeTimers({ toFake: ['Date'], now: inAnHour() })
  onTestFinished(() => void vi.useRealTimers())
  await list.add(ada, { source: { source: 'hn' } })
  await replies.keep(ada, 'Rome')
  vi.useRealTimers()
  await list.add(ada, { source: { source: 'x' } })
  await replies.keep(ada, 'Bonn')
  await inbox.takeInAll()
  for await (const one of list.stream())
    expect(one).toMatchObject({ source: { source: 'hn' }, extra: { answer: 'Bonn' } })
})

it('a reply that comes late replaces none that was given after it', async () => {
  const { list, inbox, replies } = open()
  await list.add(ada)
  await replies.keep(ada, 'Rome')
  const cure = poison('Rome')
  await inbox.takeInAll()
  cure()
  await sleep(2)
  await replies.keep(ada, 'Bonn')
  await inbox.takeInAll()
  const { close } = inbox.takeInUntilClosed()
  await expect.poll(() => inbox.waiting()).toMatchObject({ setAside: 0 })
  await close()
  for await (const one of list.stream()) expect(one.extra).toMatchObject({ answer: 'Bonn' })
})
