import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../../src/keys/address-id.ts'
import { enlist } from '../../fixtures/enlist.ts'
import { ids } from '../../fixtures/keys.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people } from '../contracts/people.ts'

function open(file: string, addressIdsOfKey = ids) {
  return sqliteStore({ file, appId: 'test', addressIds: addressIdsOfKey, log: () => {} })
}

describe('what the SQLite store keeps of the forgotten', () => {
  it('has no byte of the address in any file, while a server has it open too', {
    tags: 'thorough',
  }, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'opening-bell-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const file = join(dir, 'store.sqlite')
    const server = open(file)
    const operator = open(file)
    onTestFinished(async () => void (await Promise.all([server.close(), operator.close()])))

    // Addresses that no other contains, among enough others that pages split.
    const emails = people(400).map((_, i) => `${(i * 7919) % 401}-leaving@example.com`)
    await Promise.all(emails.map((email) => server.list.add(email)))
    await operator.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 3_600_000)
    await operator.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    const all = []
    for await (const subscriber of operator.list.stream()) all.push(subscriber)
    await enlist(operator, 'me', 'launch', all)
    await operator.ledger.claim('me', 'launch', { limit: 200, which: 'untried' })

    const [leaving, staying] = [emails.slice(0, 150), emails.slice(150)]
    for (const email of leaving) await operator.standings.forget(email)
    const bytes = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'))
    for (const email of leaving)
      expect(
        bytes.some((text) => hasAddress(text, email)),
        email,
      ).toBe(false)
    for (const email of staying)
      expect(
        bytes.some((text) => hasAddress(text, email)),
        email,
      ).toBe(true)
  })

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

/** Whether it stands there as itself, not as the end of a longer one. */
function hasAddress(text: string, email: string): boolean {
  return new RegExp(`(?<!\\d)${email.replaceAll('.', '\\.')}`).test(text)
}

describe('the write-ahead log', () => {
  it('of a small list stays small', { tags: 'thorough' }, async () => {
    const file = join(tempDir(), 'store.sqlite')
    const store = open(file)
    for (let i = 0; i < 1500; i++) await store.list.add(`${(i * 7919) % 1499}@example.com`)
    expect(statSync(`${file}-wal`).size).toBeLessThan(5e6)
    await store.close()
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
