import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { firstNameFrom } from '../../src/people/first-name.ts'
import { backupFaults } from '../../src/store/backup-state.ts'
import type { BackupRecord } from '../../src/store/backups.ts'
import { isAnnouncing } from '../../src/store/list-at-rest.ts'
import { personOf } from '../../src/store/person.ts'
import { linkKey } from '../fixtures/keys.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const DAY_MS = 86_400_000

it('names what is wrong with the copies: none is made, one did not come back, or none was tried', () => {
  const now = new Date('2026-11-26T12:00:00Z')
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const tried = (days: number, fault?: string) => ({ at: before(days), fault })
  const copies = (...days: number[]) =>
    days.map((day) => ({ folder: '/c', name: 'x', at: before(day), bytes: 1, keep: '7,4,12' }))
  const said = (state: Partial<BackupRecord>) => {
    const made = { kept: copies(30, 1), rehearsal: tried(1), goodRehearsal: tried(1) }
    const all = { ...made, ...state }
    return backupFaults(all, now)
  }
  const untried = { rehearsal: undefined, goodRehearsal: undefined }
  for (const quiet of [{}, { kept: copies(2), ...untried }, { kept: [], ...untried }])
    expect(said(quiet)).toEqual([])
  for (const [state, fault] of [
    [{ kept: copies(30, 3) }, 'stopped'],
    [{ rehearsal: tried(1, 'It is damaged.') }, 'rehearsal-failed'],
    [{ goodRehearsal: tried(10) }, 'rehearsal-overdue'],
    [untried, 'rehearsal-overdue'],
  ] as const)
    expect(said(state)).toEqual([fault])
})

it('takes no name that a mail program would make a link of', () => {
  expect(firstNameFrom('www.evil')).toBeUndefined()
  expect(firstNameFrom('Awww. K')).toBe('Awww. K')
})

it('says of a list at rest whether it is announced from, and of a stranger that nothing is known', async () => {
  const folder = tempDir()
  const file = join(folder, 'subscribers.sqlite')
  const store = storeOnFile(file)
  await store.list.add('ada@example.com')
  const { subscribedAt, isImported } = await personOf(store, 'eve@example.com', linkKey)
  expect({ subscribedAt, isImported }).toEqual({ subscribedAt: undefined, isImported: false })
  expect(isAnnouncing(folder)).toBe(false)
  await store.lock.acquire({ owner: 'me', host: 'here', pid: process.pid }, DAY_MS / 48)
  expect(isAnnouncing(folder)).toBe(true)
  // Such a lease is from before the clock was set back.
  await store.lock.renew('me', DAY_MS)
  expect(isAnnouncing(folder)).toBe(false)
  // A restore that was ended leaves an empty one.
  const empty = tempDir()
  new DatabaseSync(join(empty, 'subscribers.sqlite')).exec('PRAGMA journal_mode = WAL')
  expect(isAnnouncing(empty)).toBe(false)
})
