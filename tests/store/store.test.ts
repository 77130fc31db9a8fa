import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { ids } from '../fixtures/keys.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { storeContract } from './contracts/store-contract.ts'

storeContract('the memory store', async () => memoryStore())

storeContract('the SQLite store', emptySqlite)

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
