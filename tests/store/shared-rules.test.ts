import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  claimed,
  erased,
  MOST_EVENTS,
  queueIn,
  replayed,
  settled,
} from '../../src/people/event-queue.ts'
import { firstNameFrom } from '../../src/people/first-name.ts'
import { type BackupState, backupFaults } from '../../src/store/backup-state.ts'
import { afterAnswers } from '../../src/store/event-feed.ts'
import type { EndedEvent, EventFeed } from '../../src/store/events.ts'
import { isAnnouncing } from '../../src/store/list-at-rest.ts'
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

describe('a receiver of events', () => {
  const opened: EventFeed = { isOn: true, types: [], place: 'there', since: 0 }
  const ended = (person: string, answer: unknown) => ({ event: { person }, answer }) as EndedEvent
  const failed = { kind: 'failed', failure: '503', isAway: true }
  const fail = (feed: EventFeed, people: string, now: number, more = {}) =>
    afterAnswers(
      feed,
      Array.from(people, (person) => ended(person, { ...failed, ...more })),
      now,
    )

  it('is away where the events of three people failed, however often one of them did', () => {
    let { feed } = fail(opened, 'a', 5)
    for (let now = 6; now < 100; now += 1) feed = fail(feed, 'ab', now).feed
    expect(feed).toMatchObject({ failing: { since: 5, people: ['a', 'b'] }, failure: '503' })
    expect(feed).not.toHaveProperty('awaySince')
    expect(fail(feed, 'c', 100).feed.awaySince).toBe(5)
    // However many there are, only the first are kept.
    expect(fail(feed, 'cdefgh', 100).feed.failing?.people).toEqual(['a', 'b', 'c'])
  })

  it('is there as soon as it takes one, also among others that failed', () => {
    const { feed } = fail(opened, 'abc', 5)
    const both = [ended('d', failed), ended('e', { kind: 'taken' })]
    expect(afterAnswers(feed, both, 9)).toEqual({
      feed: { ...opened, lastAt: 9 },
      isHeld: false,
    })
  })

  it('is not away for what it refuses, or what was stopped', () => {
    const others = [{ ...failed, isAway: false }, { kind: 'stopped' }]
    const all = Array.from('abcd', (person, i) => ended(person, others[i % 2]))
    expect(afterAnswers(opened, all, 5)).toEqual({ feed: opened, isHeld: false })
  })

  it('has all held that is older than a week only where it was away for so long', () => {
    expect(fail(fail(opened, 'a', 0).feed, 'a', 7 * DAY_MS).isHeld).toBe(false)
    const away = fail(opened, 'abc', 0).feed
    expect(fail(away, 'a', 7 * DAY_MS - 1).isHeld).toBe(false)
    expect(fail(away, 'a', 7 * DAY_MS).isHeld).toBe(true)
  })

  it('is gone where nothing but 410 came for an hour, of several people', () => {
    const gone = { failure: '410', isGone: true }
    const HOUR_MS = 3_600_000
    const notBefore = (feed: EventFeed, now: number, people = 'd') =>
      fail(feed, people, now, gone).feed.notBefore
    const away = fail(opened, 'abc', 0, gone).feed
    expect(away.notBefore).toBeUndefined()
    expect(notBefore(away, HOUR_MS - 1)).toBeUndefined()
    expect(notBefore(away, HOUR_MS)).toBe(HOUR_MS + DAY_MS)
    expect(notBefore(fail(opened, 'a', 0, gone).feed, HOUR_MS, 'a')).toBeUndefined()
    expect(fail(away, 'd', HOUR_MS).feed.notBefore).toBeUndefined()
  })
})

describe('what waits of one person', () => {
  const event = { id: `evt_${'x'.repeat(22)}`, type: 'subscribed', at: 5 }
  const queue = (events: unknown[], more = {}) => queueIn(JSON.stringify({ events, ...more }))

  it('loses an event that this version cannot read, and that one alone', () => {
    expect(queue([event])).toEqual({ events: [event], tries: 0 })
    const [later, broken] = [
      { ...event, type: 'renamed' },
      { ...event, id: 'x' },
    ]
    expect(queue([later, event, broken, null])).toEqual({ events: [event], tries: 0, dropped: 3 })
    expect(queue([later], { dropped: 2 })).toEqual({ events: [], tries: 0, dropped: 3 })
    expect(queue(Array(MOST_EVENTS).fill(event))).not.toHaveProperty('dropped')
    const long = queue([...Array(MOST_EVENTS).fill(event), { ...event, type: 'left' }])
    expect(long?.events).toHaveLength(MOST_EVENTS)
    expect(long?.events.at(-1)?.type).toBe('left')
    for (const none of ['', '[]', '{}', '{"events":1}', 'null'])
      expect(queueIn(none)).toBeUndefined()
  })

  it('comes before all others where it is an erasure that was not tried', () => {
    const gone = erased(queue([event]), 9)
    expect(gone.dueAt).toBe(0)
    const [first] = gone.events
    const sending = claimed(gone, 100, 9)
    const given = { id: String(first?.id), lease: String(sending.lease) }
    expect(settled(sending, given, { kind: 'stopped' }, 9)?.dueAt).toBe(0)
    const failed = { kind: 'failed', failure: '503', isAway: true } as const
    expect(settled(sending, given, failed, 9)?.dueAt).toBeGreaterThan(5000)
    // What is on its way is waited for.
    expect(erased(claimed(gone, 100, 9), 10).dueAt).toBe(109)
    expect(replayed(gone, 50).dueAt).toBe(0)
  })
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
  expect(isAnnouncing(folder)).toBe(false)
  await store.lock.acquire({ owner: 'me', host: 'here', pid: process.pid }, DAY_MS)
  expect(isAnnouncing(folder)).toBe(true)
})
