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
  it('is noted by the next look, whoever reached it: sign-ups, confirmations, or another process', async () => {
    const { file, store, noted } = await told()
    await store.list.add('visitor@example.com')
    await store.notices.noteMilestones(at)
    expect(noted()).toEqual(['reached:1'])
    await openIn(file).list.importAll(people(105))
    await store.notices.noteMilestones(at)
    expect(noted()).toEqual(['reached:1', 'reached:10', 'reached:100'])
  })

  it('is not reached by whoever left again meanwhile', async () => {
    const { store, noted } = await told()
    for (let i = 0; i < 9; i++) await store.list.add(`visitor${i}@example.com`)
    for (let i = 0; i < 3; i++) await store.standings.forget(`visitor${i}@example.com`)
    await store.list.add('another0@example.com')
    await store.notices.noteMilestones(at)
    expect(noted()).toEqual(['reached:1'])
    for (let i = 1; i < 4; i++) await store.list.add(`another${i}@example.com`)
    await store.notices.noteMilestones(at)
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
