import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../../src/keys/address-id.ts'
import { ids } from '../../fixtures/keys.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

function open(file: string, addressIdsOfKey = ids) {
  return sqliteStore({ file, appId: 'test', addressIds: addressIdsOfKey, log: () => {} })
}

describe('what the SQLite store keeps of the forgotten', () => {
  it('refuses another LINK_KEY than the one that unsubscribes were kept with', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'opening-bell-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const file = join(dir, 'store.sqlite')
    const first = open(file)
    await first.standings.unsubscribe(ids.of('ada@example.com'))
    await first.close()
    const second = open(file, addressIds(Buffer.from('another key than the one before')))
    onTestFinished(() => second.close())
    await expect(second.standings.forget('ada@example.com')).rejects.toThrow('LINK_KEY')
    await expect(second.standings.unsubscribe('x'.repeat(22))).rejects.toThrow('LINK_KEY')
    await second.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 3_600_000)
    await expect(
      second.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' }),
    ).rejects.toThrow('LINK_KEY')
    await second.list.add('bob@example.com')
    expect(await second.inbox.waiting()).toMatchObject({ entries: 1, isOtherKey: true })
  })
})

describe('unsubscribes', () => {
  it('that arrive together are committed together, and each only once', async () => {
    const file = join(tempDir(), 'store.sqlite')
    const store = open(file)
    onTestFinished(() => store.close())
    await store.standings.unsubscribe(ids.of('ada@example.com'))
    const before = statSync(`${file}-wal`).size
    const emails = Array.from({ length: 200 }, (_, i) =>
      i % 2 ? `${i}@example.com` : 'ada@example.com',
    )
    await Promise.all(emails.map((email) => store.standings.unsubscribe(ids.of(email))))
    for (const email of emails) expect(await store.standings.of(email)).toBeDefined()
    // Each commit writes a page of 4 kB to the log at least.
    expect(statSync(`${file}-wal`).size - before).toBeLessThan(100_000)
  })

  it('under way are kept when the store closes', async () => {
    const file = join(tempDir(), 'store.sqlite')
    const store = open(file)
    const left = store.standings.unsubscribe(ids.of('ada@example.com'))
    await store.close()
    await left
    const again = open(file)
    onTestFinished(() => again.close())
    expect(await again.standings.of('ada@example.com')).toMatchObject({ standing: 'unsubscribed' })
  })
})
