import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../../src/keys/address-id.ts'
import { letterRule } from '../../../src/people/letter-rule.ts'
import type { Asked } from '../../../src/people/request.ts'
import { askedIn } from '../../fixtures/asked-in.ts'
import { ids } from '../../fixtures/keys.ts'
import { copyOf, mergeCopy } from '../../fixtures/merged-copy.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const [ada, bob] = ['ada@letters.dev', 'bob@letters.dev'] as const
const shown = { words: 'Tell me', page: 'build', language: 'en' }
const rule = letterRule(() => ({ messageId: '<1@letters.dev>', letterDigest: 'a' }))

let file = ''
beforeEach(() => {
  file = join(tempDir(), 'store.sqlite')
})

function open(addresses = ids) {
  const store = sqliteStore({ file, appId: 'test', addressIds: addresses, log: () => {} })
  onTestFinished(() => store.close())
  const ask = (email: string, more: Partial<Asked> = {}) =>
    store.requests.requestConfirmation(email, { shown, isCrowd: false, ...more })
  const claim = async () => (await store.requests.claimLetters(9, 900_000, rule)).letters
  return { store, ask, claim }
}

function rows<T>(look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file)
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const places = () =>
  rows((db) => db.prepare('SELECT tag FROM places ORDER BY tag').all()).map(({ tag }) => tag)

it('what is asked while the file is open under another link.key waits, and gets one letter under its own', async () => {
  const own = open()
  await own.store.list.add('known@letters.dev')
  const other = open(addressIds(Buffer.alloc(32, 7)))
  for (const email of [ada, ada, bob]) await other.ask(email)
  await expect(other.claim()).rejects.toThrow('LINK_KEY')
  expect((await other.store.requests.counts()).waiting).toBe(3)
  await own.store.inbox.takeInAll()
  const letters = await own.claim()
  expect(letters.map(({ request }) => request.email)).toEqual([ada, bob])
  expect(await own.claim()).toEqual([])
})

describe('a request', () => {
  it('leaves no row, no place and no byte of its address where its letter is not sent', async () => {
    const { store, ask } = open()
    await ask(ada)
    await store.requests.claimLetters(9, 1000, () => ({ dueAt: new Date(Date.now() + 60_000) }))
    expect(places()).toEqual(['letter:0', 'requested'])
    await store.requests.dropRequests(new Date(Date.now() + 1000))
    expect(rows((db) => db.prepare('SELECT * FROM persons').all())).toEqual([])
    expect(places()).toEqual([])
    expect(await store.requests.counts()).toEqual({ waiting: 0, expired: 0 })
    for (const name of [file, `${file}-wal`])
      expect(readFileSync(name, 'latin1')).not.toContain(ada)
  })

  it('of a robot leaves no byte of what it said once it is erased, where its address is on the list', async () => {
    const { store, ask } = open()
    await store.list.add(ada)
    await ask(ada, { suspicion: 'hidden-field', source: { source: 'robot-campaign' } })
    expect(await store.quarantine.erase([ada])).toEqual([ada])
    expect(await store.list.find(ada)).toBeDefined()
    for (const name of [file, `${file}-wal`])
      expect(readFileSync(name, 'latin1')).not.toContain('robot-campaign')
  })

  it('names no address where it is looked for', async () => {
    const { ask, claim } = open()
    await ask(ada, { network: ids.of('a network'), suspicion: 'hidden-field' })
    await claim()
    for (const tag of places()) expect(tag).not.toContain('letters.dev')
    expect(places()).toHaveLength(8)
  })

  it('says nothing of who referred somebody once that one is erased, wherever it has come', async () => {
    const { store, ask, claim } = open()
    const referredBy = ids.of('host@letters.dev')
    await ask(ada, { referredBy })
    await store.requests.claimLetters(9, 1000, ({ email, at }) => ({
      pending: { email, askedAt: at, shown, letters: 1, referredBy },
      dueAt: new Date(Date.now() + 60_000),
    }))
    await ask(bob, { referredBy })
    await store.standings.forget('host@letters.dev')
    const all = () =>
      rows((db) =>
        JSON.stringify([
          db.prepare('SELECT data FROM persons WHERE id <> ?').all(referredBy),
          db.prepare('SELECT seen FROM documents').all(),
          db.prepare('SELECT tag FROM places').all(),
        ]),
      )
    expect(all()).not.toContain(referredBy)
    await claim()
    expect(rows((db) => askedIn(db).pending.map(({ email }) => email))).toContain(bob)
  })

  it('of a hostile row stops no letter of others, and is sent by none', async () => {
    const { ask, claim, store } = open()
    for (const email of ['a@letters.dev', 'b@letters.dev', 'c@letters.dev']) await ask(email)
    await store.requests.claimLetters(9, 1000, () => ({ dueAt: new Date(0) }))
    rows((db) =>
      db.exec(`
        UPDATE persons SET data = 'nothing' WHERE n = 1;
        UPDATE persons SET data = json_set(data, '$.request.dueAt', '2999-01-01T00:00:00.000Z')
          WHERE n = 2;
        INSERT INTO places VALUES ('letter:0', '1970-01-01T00:00:00.000Z', 99);
        INSERT INTO documents (collection, data, waits, seen) VALUES
          ('/confirmationRequests', '{"email":"Ada <ada@letters.dev>","subscribedAt":"soon"}', 0, '{}'),
          ('/confirmationRequests', 'nothing', 0, 'nothing')`),
    )
    await ask(bob)
    for (let looks = 0; looks < 2; looks++) {
      const emails = (await claim()).map(({ request }) => request.email)
      expect(emails).toEqual(looks === 0 ? ['c@letters.dev', bob] : [])
    }
    expect(places().filter((tag) => tag === 'letter:0')).toHaveLength(2)
  })

  it.each([
    { referredBy: 'x' },
    { suspicion: '' },
    { suspicion: '\u202e' },
    { network: 'x' },
    { source: {}, isCrowd: 7 },
  ])('of a hostile row takes nobody off the list: %j', async (said) => {
    const { store, claim } = open()
    await store.list.add(ada)
    const record = JSON.stringify({ email: ada, subscribedAt: new Date() })
    rows((db) =>
      db
        .prepare(
          "INSERT INTO documents (collection, data, waits, seen) VALUES ('/confirmationRequests', ?, 0, ?)",
        )
        .run(record, JSON.stringify({ shown, ...said })),
    )
    await store.inbox.takeInAll()
    expect(await claim()).toEqual([])
    expect(await store.standings.of(ada)).toBeUndefined()
    expect(await store.list.find(ada)).toMatchObject({ email: ada })
  })

  it('of a hostile row keeps nobody from being forgotten', async () => {
    const { store, ask } = open()
    await ask(ada)
    rows((db) =>
      db.exec(`
        INSERT INTO documents (collection, data, waits, seen)
          VALUES ('/confirmationRequests', '{"email":"${bob}"}', 0, 'nothing')`),
    )
    await store.standings.forget(ada)
    expect(rows(askedIn).waiting).toEqual(new Set([bob]))
  })

  it('of a flood is taken away while visitors are answered, whoever is erased or has it erased', async () => {
    const { store, ask } = open()
    const host = 'host@letters.dev'
    const named = () => places().filter((tag) => String(tag).startsWith('names:')).length
    const flood = async () => {
      await store.list.add(host, { suspicion: 'too-quick' })
      const emails = Array.from({ length: 650 }, (_, n) => `${n}@letters.dev`)
      await Promise.all(emails.map((email) => ask(email, { referredBy: ids.of(host) })))
      // Nothing is decided of them yet.
      await store.quarantine.erase(emails)
    }
    const times = {
      erase: () => store.quarantine.erase([host]),
      forget: () => store.standings.forget(host),
      drop: () => store.requests.dropRequests(new Date(Date.now() + 1000)),
    }
    for (const [name, work] of Object.entries(times)) {
      await flood()
      const seen = new Set<number>()
      let looking: NodeJS.Immediate | undefined
      const look = () => {
        seen.add(named())
        looking = setImmediate(look)
      }
      look()
      await work()
      clearImmediate(looking)
      expect([name, [...seen].slice(0, 3)]).toEqual([name, [650, 450, 250]])
      expect(named()).toBe(0)
    }
  })

  it('waits for no time that nobody can write, whatever a row says of its mailbox', async () => {
    const { ask, claim } = open()
    await ask('a.da@gmail.com')
    await claim()
    rows((db) =>
      db.exec(`
        UPDATE persons SET
          data = json_set(data, '$.pending.lastLetterAt', '9999-12-31T23:59:59.999Z')`),
    )
    await ask('ada@gmail.com')
    expect((await claim()).map(({ request }) => request.email)).toEqual(['ada@gmail.com'])
  })

  it('of a copy reaches nobody who left since it was made, or who was asked since', async () => {
    const then = open()
    for (const email of [ada, bob, 'eve@letters.dev']) await then.ask(email)
    const copy = await copyOf(then.store)
    file = `${file}-new`
    const { store, ask, claim } = open()
    await expect.poll(() => Date.now()).toBeGreaterThan(statSync(copy).mtimeMs)
    await store.standings.unsubscribe(ids.of(ada))
    await ask(bob)
    expect(await claim()).toHaveLength(1)
    for (let times = 0; times < 2; times++)
      expect(await store.restore(copy, { isBelieved: true })).toMatchObject({ refused: 0 })
    expect((await claim()).map(({ request }) => request.email)).toEqual(['eve@letters.dev'])
  })
})

it('somebody who was asked here after a copy says that they were erased stays asked, and nothing else', async () => {
  const { store, ask, claim } = open()
  await store.list.add(ada)
  const forgottenAt = new Date()
  await expect.poll(() => Date.now()).toBeGreaterThan(Number(forgottenAt))
  await store.standings.unsubscribe(ids.of(ada))
  await ask(ada)
  expect(await claim()).toHaveLength(1)
  const person = { noes: {}, fields: {}, forgottenAt }
  await mergeCopy(store, { people: [{ addressId: ids.of(ada), person }] })
  expect(await store.list.find(ada)).toBeUndefined()
  expect(await store.standings.of(ada)).toMatchObject({ standing: 'forgotten' })
  expect(rows(askedIn).pending).toMatchObject([{ email: ada, letters: 1 }])
})
