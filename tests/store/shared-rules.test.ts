import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type BackupState, backupFaults } from '../../src/store/backup-state.ts'
import { afterAnswers } from '../../src/store/event-feed.ts'
import { MOST_EVENTS, queueIn } from '../../src/store/event-queue.ts'
import type { EndedEvent, EventFeed } from '../../src/store/events.ts'
import { firstNameFrom } from '../../src/store/first-name.ts'
import { lookAtList } from '../../src/store/list-at-rest.ts'
import { personOf } from '../../src/store/person.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const DAY_MS = 86_400_000

it('names what is wrong with the copies: none is made, one did not come back, or none was tried', () => {
  const now = new Date('2026-11-26T12:00:00Z')
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const tried = (days: number, fault?: string) => ({ at: before(days), copy: 'copy.sqlite', fault })
  const faults = (state: Partial<BackupState>) =>
    backupFaults(
      {
        last: null,
        oldestKept: before(30),
        newestKept: before(1),
        rehearsal: tried(1),
        goodRehearsal: tried(1),
        ...state,
      },
      now,
    )
  expect(faults({})).toEqual([])
  expect(faults({ newestKept: before(3) })).toEqual(['stopped'])
  expect(faults({ rehearsal: tried(1, 'It is damaged.') })).toEqual(['rehearsal-failed'])
  expect(faults({ goodRehearsal: tried(10) })).toEqual(['rehearsal-overdue'])
  expect(faults({ rehearsal: undefined, goodRehearsal: undefined, oldestKept: before(2) })).toEqual(
    [],
  )
  expect(
    faults({ oldestKept: undefined, newestKept: undefined, goodRehearsal: undefined }),
  ).toEqual([])
})

it('takes a receiver for back only where it took something after an outage', () => {
  const feed: EventFeed = { isOn: true, types: [], place: 'there', since: 0, awaySince: 0 }
  const after = (answer: unknown, now: number) => {
    const { isBack, isHeld } = afterAnswers(feed, [{ answer } as EndedEvent], now)
    return { isBack, isHeld }
  }
  const neither = { isBack: false, isHeld: false }
  expect(after({ kind: 'taken' }, 60_000)).toEqual({ isBack: true, isHeld: false })
  expect(after({ kind: 'taken' }, 59_999)).toEqual(neither)
  expect(after({ kind: 'failed', isAway: false }, 60_000)).toEqual(neither)
  expect(after({ kind: 'failed', isAway: true }, 60_000)).toEqual(neither)
  expect(after({ kind: 'failed', isAway: true }, 7 * DAY_MS)).toEqual({ ...neither, isHeld: true })
})

it('takes no queue of events that is empty, too long, or has one that is none', () => {
  const event = { id: `evt_${'x'.repeat(22)}`, type: 'subscribed', at: 5 }
  const queue = (events: unknown[]) => queueIn(JSON.stringify({ events }))
  expect(queue([event])).toEqual({ events: [event], tries: 0 })
  expect(queue(Array(MOST_EVENTS).fill(event))?.events).toHaveLength(MOST_EVENTS)
  for (const events of [[], Array(MOST_EVENTS + 1).fill(event), [event, { ...event, id: 'x' }]])
    expect(queue(events)).toBeUndefined()
})

it('takes no name that a mail program would make a link of', () => {
  expect(firstNameFrom('www.evil')).toBeUndefined()
  expect(firstNameFrom('Awww. K')).toBe('Awww. K')
})

it('says of a list at rest whether it is announced from, and of a stranger that nothing is known', async () => {
  const folder = tempDir()
  const file = join(folder, 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  await store.list.add('ada@example.com')
  const { subscribedAt, isImported } = await personOf(store, 'eve@example.com', linkKey)
  expect({ subscribedAt, isImported }).toEqual({ subscribedAt: undefined, isImported: false })
  expect(lookAtList(folder)?.isAnnouncing).toBe(false)
  await store.lock.acquire({ owner: 'me', host: 'here', pid: process.pid }, DAY_MS)
  expect(lookAtList(folder)?.isAnnouncing).toBe(true)
})
