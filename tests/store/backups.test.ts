import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressIds } from '../../src/keys/address-id.ts'
import type { Person } from '../../src/people/person.ts'
import { withoutLetter } from '../../src/people/requests.ts'
import { personIn } from '../../src/people/stored.ts'
import { eventTypes } from '../../src/shared/event-types.ts'
import { recordIn } from '../../src/store/backups.ts'
import { nobodyAtTheDesk } from '../../src/store/desk-access.ts'
import { checkCopy } from '../../src/store/sqlite/copy.ts'
import { heldAlone } from '../../src/store/sqlite/list-file.ts'
import { enlist } from '../fixtures/enlist.ts'
import { fillWithEveryKind } from '../fixtures/every-kind.ts'
import { ids } from '../fixtures/keys.ts'
import { copyOf, spoil } from '../fixtures/merged-copy.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tallyOf } from '../fixtures/tally.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { PLACE, toldAt } from '../fixtures/told.ts'
import { people, person } from './contracts/people.ts'

function open(file = join(tempDir(), 'subscribers.sqlite'), keys = ids) {
  const store = sqliteStore({ file, appId: 'test', addressIds: keys, log: () => {} })
  onTestFinished(() => store.close())
  return store
}

async function filled(count: number) {
  const store = open()
  await store.list.importAll(people(count))
  return store
}

type TestStore = ReturnType<typeof open>

const merge = (store: TestStore, file: string, isBelieved = true) =>
  store.restore(file, { isBelieved })

/** A copy as the list that it becomes. */
async function list(file: string) {
  const store = open(file)
  return { store, ...(await store.becomeList(new Date())) }
}

async function emailsOf(store: TestStore, standing: 'all' | 'subscribed' = 'all') {
  const emails: string[] = []
  for await (const { email } of store.list.stream({ standing })) emails.push(email)
  return emails
}

/** An announcement to all: the first is told, the second in the air, the others in the queue. */
async function announced(count: number) {
  const store = await filled(count)
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
  await enlist(store, 'me', 'launch', people(count))
  await store.ledger.countEligible('me', 'launch')
  const [first] = await store.ledger.claim('me', 'launch', { limit: 2, which: 'untried' })
  const number = first?.number ?? 0
  await store.ledger.record('me', 'launch', [{ number, tries: 1, status: 'sent', answer: '250' }])
  return store
}

const balance = async (store: TestStore) => [
  await tallyOf(store, 'launch'),
  await store.ledger.counted('launch'),
]

describe('a copy', () => {
  it('says when it was made, and has keys that are some', async () => {
    const store = await filled(2)
    const before = new Date()
    const link = Buffer.alloc(32, 'k')
    const file = await copyOf(store, {
      ...{ 'link.key': link, 'invitation.key': Buffer.alloc(4096, 'A'), '../link.key': link },
    })
    const { at, keys, counts, fingerprint } = checkCopy(file, 'test', false)
    expect(Number(at)).toBeGreaterThanOrEqual(Number(before))
    expect(keys).toEqual({ 'link.key': link })
    expect(counts).toMatchObject({ subscribers: 2, announcements: 0 })
    expect(fingerprint).toBe(ids.fingerprint)
  })

  it('of another product, of another version, damaged, or of none, is refused and says so', async () => {
    const store = await filled(400)
    const refused = (file: string, why: string, appId = 'test') =>
      expect(() => checkCopy(file, appId, false), why).toThrow(why)
    const file = await copyOf(store)
    refused(file, `${file} is a copy of the appId "test", and product.config.ts says "o".`, 'o')
    refused(spoil(await copyOf(store), 'PRAGMA user_version = 9'), 'is of version 9, and this')
    const empty = join(tempDir(), 'empty')
    writeFileSync(empty, '')
    refused(empty, 'it is no copy of a list')
    writeFileSync(empty, 'Dear reader, this is not a database. '.repeat(200))
    refused(empty, 'is no whole copy')
    refused('/dev/null', 'it is no ordinary file')
    refused(`${file}.none`, 'is no whole copy')
    truncateSync(file, statSync(file).size - 8192)
    refused(file, 'is no whole copy')
  })
})

describe('a copy that becomes the list', () => {
  it('has everything, but who is at the desk, its keys and what runs', async () => {
    const store = open()
    await fillWithEveryKind(store)
    const file = await copyOf(store, { 'link.key': Buffer.alloc(32, 'k') })
    const before = checkCopy(file, 'test', false)
    const { store: other } = await list(file)
    expect(checkCopy(await copyOf(other), 'test', true).counts).toEqual(before.counts)
    expect(await other.desk.read()).toEqual(nobodyAtTheDesk)
    expect(await other.backups.record()).toEqual(await store.backups.record())
    const rows = rowsOf(file)
    expect(rows.runs).toEqual([])
    expect(rows.notes?.map(({ name }) => name)).not.toContain('copied')
  })

  it('lets nobody be told twice: whose letter was open is uncertain', async () => {
    const { store, stillToTell } = await list(await copyOf(await announced(5)))
    expect(stillToTell).toBe(4)
    const [tally, counted] = await balance(store)
    expect(tally).toMatchObject({ sent: 1, uncertain: 4, queued: 0, sending: 0 })
    expect(counted).toEqual(tally)
    expect(await store.ledger.findAnnouncement('launch')).toMatchObject({ eligible: 5 })
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
    expect(await store.ledger.requeue('me', 'launch', 'uncertain')).toBe(4)
  })

  it('takes whom it has no row of yet, since the rows were being written, for people who are new', async () => {
    const store = await filled(4)
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
    await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    await enlist(store, 'me', 'launch', people(2))
    const { store: restored } = await list(await copyOf(store))
    expect(await restored.ledger.findAnnouncement('launch')).toMatchObject({ eligible: 2, upTo: 2 })
    expect(await tallyOf(restored, 'launch')).toMatchObject({ uncertain: 2, queued: 0 })
  })

  it('comes to where no list was: nobody else makes one there meanwhile', async () => {
    const file = join(tempDir(), 'subscribers.sqlite')
    const held = heldAlone(file)
    await expect(open(file).list.add('thanked@example.com')).rejects.toThrow('locked')
    held?.letGo()
    expect(await emailsOf(open(file))).toEqual([])
  })

  it('holds what other systems had yet to be told until it is replayed, but no erasure', async () => {
    const from = open()
    await from.events.open(eventTypes, 'P'.repeat(22))
    for (const name of ['ada', 'bob']) await from.list.add(`${name}@example.com`)
    await from.standings.forget('bob@example.com')
    const idsIn = async (store: TestStore) =>
      (await store.events.waiting(9)).flatMap(({ queue }) => queue.items.map(({ id }) => id))
    const { store } = await list(await copyOf(from))
    expect(await idsIn(store)).toEqual(await idsIn(from))
    const claimed = () => store.events.claim(9, 1000, new Date(Date.now() + 60_000))
    expect(await claimed()).toMatchObject([{ type: 'forgotten' }])
    await store.events.replay(new Date())
    expect((await claimed()).map(({ type }) => type)).toContain('subscribed')
  })
})

describe('a copy that is merged into a list', () => {
  it('brings everybody back, times and all, and no news of it', async () => {
    const store = await filled(700)
    await store.standings.unsubscribe(ids.of(person(2).email))
    const [file, fresh] = [await copyOf(store), open()]
    await fresh.events.open(eventTypes, 'P'.repeat(22))
    const none = { known: 0, forgotten: 0, refused: 0, announcements: 0, stillToTell: 0 }
    expect(await merge(fresh, file)).toEqual({ ...none, added: 700 })
    expect(await emailsOf(fresh)).toEqual(await emailsOf(store))
    expect(await fresh.list.find(person(5).email)).toEqual({ ...person(5), isImported: true })
    expect(await fresh.standings.of(person(2).email)).toMatchObject({ standing: 'unsubscribed' })
    expect(await fresh.events.waiting(9)).toEqual([])
    expect(await merge(fresh, file)).toEqual({ ...none, added: 0, known: 700 })
  })

  it('of an announcement brings back what was told, and that there were people who are not here', async () => {
    const store = await announced(5)
    const unknown = open()
    await unknown.list.add('before@example.com')
    await unknown.standings.forget(person(2).email)
    await merge(unknown, await copyOf(store))
    expect(await unknown.ledger.findAnnouncement('launch')).toMatchObject({ eligible: 5, upTo: 0 })
    const [tally, counted] = await balance(unknown)
    expect(tally).toMatchObject({ sent: 1, forgotten: 1, uncertain: 3 })
    expect(counted).toEqual(tally)
  })

  it('brings back what else a list has: sources, requests, visits, keys, notices told, and the opening', async () => {
    const store = open()
    await fillWithEveryKind(store)
    const rows = rowsOf(await copyOf(store))
    const fresh = join(tempDir(), 'subscribers.sqlite')
    const other = open(fresh)
    const file = await copyOf(store)
    await other.notices.open([PLACE], new Date())
    for (let times = 0; times < 2; times += 1) await merge(other, file)
    await other.notices.noteMilestones(new Date())
    expect(await toldAt(other)).toEqual([])
    const merged = rowsOf(fresh)
    for (const table of ['visits', 'visitNames', 'codeKeys', 'refusals'])
      expect(merged[table], table).toEqual(rows[table])
    const values = ({ persons = [] }: typeof rows) =>
      persons.map(({ data }) => withoutLetter(personIn(data) as Person))
    expect(values(merged)).toEqual(expect.arrayContaining(values(rows)))
    // Set or undone here since, it stays so.
    await other.opening.undo()
    expect(await merge(other, file)).not.toHaveProperty('opening')
    expect(await other.opening.get()).toBeUndefined()
  })

  it('ends sessions, and brings none back', async () => {
    const until = Date.now() + 3_600_000
    const session = { id: 's', begunAt: 1, usedAt: 1, until, device: 'x' }
    const [store, other] = [open(), open()]
    const begin = (one: TestStore) =>
      one.desk.change((found) => ({ result: undefined, state: { ...found, sessions: [session] } }))
    await begin(store)
    const file = await copyOf(store)
    await begin(other)
    await merge(other, file)
    expect(await other.desk.read()).toEqual({ links: [], sessions: [] })
  })

  it('of an address, keeps what a hold says', async () => {
    const store = await filled(1)
    await store.hold.begin({ isBelieved: false, since: new Date(5) })
    const fresh = open()
    await fresh.hold.begin({ isBelieved: true, since: new Date(9) })
    await fresh.hold.begin({ isBelieved: false, since: new Date(7) })
    await fresh.hold.begin({ isBelieved: false, since: new Date(8) })
    expect(await fresh.hold.get()).toEqual({ isBelieved: false, since: new Date(7) })
    expect([await fresh.hold.end(), await fresh.hold.end()]).toEqual([true, false])
    await merge(fresh, await copyOf(store))
    expect(await fresh.hold.get()).toEqual({ isBelieved: false, since: new Date(5) })
    const merged = open()
    await merged.hold.begin({ isBelieved: true, since: new Date(9) })
    await merge(merged, await copyOf(store))
    expect(await merged.hold.get()).toEqual({ isBelieved: false, since: new Date(5) })
  })

  it('is refused with another key than that of the list', async () => {
    const other = open(undefined, addressIds(Buffer.from('another key than the one of the tests')))
    await other.list.add('ada@example.com')
    const store = await filled(1)
    await store.standings.unsubscribe(ids.of(person(1).email))
    const file = await copyOf(other)
    await merge(store, file)
    // Ids of another key are nobody's here.
    expect(await emailsOf(store)).toEqual([person(1).email])
  })
})

describe('a copy that is not believed', () => {
  it('brings people, what they said no to and were told, and nothing else', async () => {
    const store = await announced(3)
    await store.standings.unsubscribe(ids.of(person(1).email))
    await store.events.open(eventTypes, 'P'.repeat(22))
    await store.list.add('new@example.com')
    const url = 'https://evil.example/phish'
    await store.opening.set({ url, at: new Date(), zone: 'UTC', openedAt: undefined })
    await store.codeKeys.keep('A'.repeat(43), new Date(1e15))
    const shown = { words: 'x', page: 'x', language: 'en' }
    await store.requests.requestConfirmation('asked@example.com', { shown, isCrowd: false })
    const file = join(tempDir(), 'subscribers.sqlite')
    const other = open(file)
    expect(await merge(other, await copyOf(store), false)).toMatchObject({ added: 4 })
    expect(await other.standings.of(person(1).email)).toMatchObject({ standing: 'unsubscribed' })
    expect(await tallyOf(other, 'launch')).toMatchObject({ sent: 1, uncertain: 2 })
    expect(await other.opening.get()).toBeUndefined()
    expect(await other.events.waiting(9)).toEqual([])
    expect(await other.requests.claimLetters(9, 1000, () => ({}))).toMatchObject({ letters: [] })
    expect(rowsOf(file).codeKeys).toEqual([])
  })

  it('brings nobody back who left, was erased or bounced, whatever it says came later', async () => {
    const [store, forged] = [await filled(3), open()]
    const [left, gone, bounced] = people(3).map(({ email }) => email)
    await store.standings.unsubscribe(ids.of(left ?? ''))
    await store.standings.forget(gone ?? '')
    await store.standings.set([{ email: bounced ?? '', standing: 'bounced' }])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    for (const { email } of people(3)) await forged.list.add(email)
    const file = spoil(
      await copyOf(forged),
      `UPDATE persons SET data = json_set(data, '$.answeredAt', data ->> '$.signedUp.first')`,
    )
    await merge(store, file, false)
    expect(await emailsOf(store, 'subscribed')).toEqual([])
  })

  it('loses only the rows that no store of ours has written, and counts them', async () => {
    const store = await announced(5)
    const file = spoil(
      await copyOf(store),
      `UPDATE persons SET data = json_set(data, '$.email', 'x') WHERE data ->> 'email' = '${person(5).email}';
      INSERT INTO persons (id, data) VALUES ('x', '{"noes":{},"fields":{}}');
      UPDATE deliveries SET tries = 1 << 60 WHERE status = 'sent';
      INSERT INTO announcements (id, subject, digest, begunAt, upTo)
        SELECT '../x', subject, digest, begunAt, 1 << 60 FROM announcements`,
    )
    const fresh = open()
    expect(await merge(fresh, file, false)).toMatchObject({ added: 4, refused: 4 })
    expect(await tallyOf(fresh, 'launch')).toMatchObject({ sent: 0, uncertain: 3, forgotten: 1 })
  })
})

describe('what the list knows of its copies', () => {
  it.each(['x', '{"kept":5}', '{"kept":[{"folder":"/x","at":"soon"}]}'])(
    'is nothing where it cannot be read: %s',
    (text) => {
      expect(recordIn(text)).toEqual({ kept: [] })
    },
  )
})

function rowsOf(file: string): Record<string, Record<string, unknown>[]> {
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const rows = tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${name}`).all()])
  db.close()
  return Object.fromEntries(rows)
}
