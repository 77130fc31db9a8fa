import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people } from '../contracts/people.ts'

const at = new Date('2026-03-01T09:00:00.000Z')

function openIn(file: string) {
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  return store
}

/** A store that tells, and what stands in its file, as another program sees it. */
async function told() {
  const file = join(tempDir(), 'store.sqlite')
  const store = openIn(file)
  await store.notices.open(['webhook:somewhere'], at)
  const noted = () => {
    const db = new DatabaseSync(file, { readOnly: true })
    const rows = db.prepare('SELECT key FROM notices ORDER BY number').all()
    db.close()
    return rows.map(({ key }) => key)
  }
  return { file, store, noted }
}

describe('a milestone', () => {
  it('is on the disk with the sign-up that reaches it', async () => {
    const { store, noted } = await told()
    await store.list.add('visitor@example.com')
    expect(noted()).toEqual(['reached:1'])
    await Promise.all(
      Array.from({ length: 120 }, (_, i) => store.list.add(`visitor${i}@example.com`)),
    )
    expect(noted()).toEqual(['reached:1', 'reached:10', 'reached:100'])
  })

  it('is on the disk with the confirmation that reaches it', async () => {
    const { store, noted } = await told()
    const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
    await store.requests.requestConfirmation('visitor@example.com', { shown, isCrowd: false })
    await store.requests.claimLetters(9, 60_000, ({ email, at: askedAt }) => ({
      pending: { email, askedAt, shown, letters: 1 },
    }))
    expect(noted()).toEqual([])
    const [askedAt, confirmedAt] = [at.toISOString(), at.toISOString()]
    const letter = { messageId: '<1@example.com>', letterDigest: 'x', how: 'button' as const }
    await store.requests.changePending(ids.of('visitor@example.com'), ({ pending }, now) => ({
      result: undefined,
      ...(pending && { pending: { ...pending, confirmedAt: now } }),
      consent: { ...shown, ...letter, askedAt, confirmedAt },
    }))
    expect(noted()).toEqual(['reached:1'])
  })

  it('that another process reached is noted by the next look, with the next sign-up or without', async () => {
    const { file, store, noted } = await told()
    const other = openIn(file)
    await other.list.importAll(people(12))
    expect(noted()).toEqual([])
    await store.notices.noteMilestones(at)
    expect(noted()).toEqual(['reached:1', 'reached:10'])
    await other.list.importAll(people(105))
    await store.list.add('visitor@example.com')
    expect(noted()).toContain('reached:100')
  })

  it('is not reached by whoever left again meanwhile', async () => {
    const { store, noted } = await told()
    for (let i = 0; i < 9; i++) await store.list.add(`visitor${i}@example.com`)
    for (let i = 0; i < 3; i++) await store.standings.forget(`visitor${i}@example.com`)
    await store.list.add('another0@example.com')
    expect(noted()).toEqual(['reached:1'])
    for (let i = 1; i < 4; i++) await store.list.add(`another${i}@example.com`)
    expect(noted()).toEqual(['reached:1', 'reached:10'])
  })

  it('is not looked for where nobody is told', async () => {
    const store = openIn(join(tempDir(), 'store.sqlite'))
    await store.list.add('visitor@example.com')
    await store.notices.noteMilestones(at)
    expect(await store.notices.open(['webhook:somewhere'], at)).toEqual(at)
    const waiting = await store.notices.changePlace('webhook:somewhere', (_, all) => ({
      result: all,
    }))
    expect(waiting).toEqual([])
  })
})

it('a suspect whom another tool had is no news of the page', async () => {
  const { store } = await told()
  const suspect = { email: 'suspect@example.com', subscribedAt: new Date() }
  await store.list.importAll([{ ...suspect, standing: 'quarantined' }])
  expect((await store.standings.of(suspect.email))?.standing).toBe('quarantined')
  expect(await store.notices.quarantinedSince(new Date(0))).toBe(0)
})
