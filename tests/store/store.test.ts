import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { probeAddress } from '../../src/shared/probe-address.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { ids } from '../fixtures/keys.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

describe('the store', () => {
  eachHasStore()

  it('counts an address once, at its first time, however often it comes', async () => {
    const before = Date.now()
    await store.list.add('visitor@example.com')
    const first = await store.list.find('visitor@example.com')
    expect(Number(first?.subscribedAt)).toBeGreaterThanOrEqual(before)
    expect(Number(first?.subscribedAt)).toBeLessThanOrEqual(Date.now())
    await Promise.all(Array.from({ length: 10 }, () => store.list.add('visitor@example.com')))
    expect(await store.list.count()).toBe(1)
    expect(await store.list.find('visitor@example.com')).toEqual(first)
  })

  it('keeps everybody who comes at once', async () => {
    const emails = Array.from({ length: 500 }, (_, i) => `visitor${i}@example.com`)
    await Promise.all([...emails, ...emails].map((email) => store.list.add(email)))
    expect(await store.list.count()).toBe(500)
    for (const email of emails) expect(await store.list.find(email)).toMatchObject({ email })
  })

  it('takes what a check of the site left for nobody, and a look at whether it can be written', async () => {
    const email = probeAddress()
    await store.list.add(email)
    await store.checkWritable()
    expect(await store.list.importAll([{ email, subscribedAt: new Date(0) }])).toEqual(['known'])
    expect(await store.list.count()).toBe(0)
    const shown = { words: 'Notify Me', page: 'a1b2', language: 'en' }
    await store.requests.requestConfirmation(email, { shown, isCrowd: false })
    expect((await store.requests.counts()).waiting).toBe(0)
    expect(await store.standings.set([{ email, standing: 'bounced' }])).toEqual([false])
    expect(await store.standings.of(email)).toBeUndefined()
  })

  it('finishes what is under way before it closes, and refuses everything then', async () => {
    const added = store.list.add('visitor@example.com')
    await store.close()
    await expect(added).resolves.toBeUndefined()
    await store.close()
    await expect(store.list.add('visitor@example.com')).rejects.toThrow(StoreUnavailable)
    await expect(store.list.find('visitor@example.com')).rejects.toThrow(StoreUnavailable)
    await expect(store.list.count()).rejects.toThrow(StoreUnavailable)
    await expect(store.checkWritable()).rejects.toThrow(StoreUnavailable)
  })
})

describe('the SQLite file', () => {
  const open = (file: string, appId = 'test') =>
    sqliteStore({ file, appId, addressIds: ids, log: () => {} })

  it('holds documents of exactly two fields at the path of the specification', async () => {
    const file = join(tempDir(), 'store.sqlite')
    const store = open(file)
    await store.list.add('first@example.com')
    await store.list.add('second@example.com')
    await store.close()

    const db = new DatabaseSync(file)
    const documents = db.prepare('SELECT path, data FROM documents ORDER BY id').all()
    db.close()
    const fields = documents.map(({ data }) => JSON.parse(String(data)))
    expect(fields).toEqual([
      { email: 'first@example.com', subscribedAt: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/) },
      { email: 'second@example.com', subscribedAt: expect.any(String) },
    ])
    for (const { path } of documents)
      expect(path).toMatch(/^\/artifacts\/test\/public\/data\/subscribers\/\d+$/)
  })

  it("is one product's: under another appId it is refused, not shown as empty", async () => {
    const file = join(tempDir(), 'store.sqlite')
    const [one, other] = [open(file, 'one'), open(file, 'other')]
    await one.list.add('visitor@example.com')
    await expect(other.list.count()).rejects.toThrow('of the appId "one"')
    await expect(other.list.add('visitor@example.com')).rejects.toThrow('of the appId "one"')
    expect(await one.list.count()).toBe(1)
    await one.close()
    await other.close()
  })

  it('is written for a suspect who is known as for a new one, and says nothing new of them', async () => {
    const file = join(tempDir(), 'store.sqlite')
    const store = open(file)
    await store.list.add('visitor@example.com')
    for (const name of ['visitor', 'robot'])
      await store.list.add(`${name}@example.com`, { suspicion: 'too-quick' })
    const found = await store.list.find('visitor@example.com')
    await store.close()
    const db = new DatabaseSync(file, { readOnly: true })
    const rows = db.prepare('SELECT tag, at FROM places ORDER BY tag').all()
    db.close()
    expect(rows).toEqual([
      { tag: 'is:quarantined', at: expect.any(String) },
      { tag: 'is:subscribed', at: found?.subscribedAt.toISOString() },
    ])
  })
})
