import { describe, expect, it } from 'vitest'
import {
  erased,
  eventLines,
  MOST_EVENTS,
  queued,
  queueIn,
  replayed,
} from '../../src/people/event-queue.ts'
import { claimed } from '../../src/queue/waiting-line.ts'

describe('what waits of one person', () => {
  const event = { id: `evt_${'x'.repeat(22)}`, type: 'subscribed', at: 5 }
  const queue = (events: unknown[], more = {}) =>
    queueIn(JSON.stringify({ items: events, ...more }))

  it('loses an event that this version cannot read, and that one alone', () => {
    expect(queue([event])).toEqual({ items: [event], tries: 0 })
    const [later, broken] = [
      { ...event, type: 'renamed' },
      { ...event, id: 'x' },
    ]
    expect(queue([later, event, broken, null])).toEqual({ items: [event], tries: 0, dropped: 3 })
    expect(queue([later], { dropped: 2 })).toEqual({ items: [], tries: 0, dropped: 3 })
    expect(queue(Array(MOST_EVENTS).fill(event))).not.toHaveProperty('dropped')
    const long = queue([...Array(MOST_EVENTS).fill(event), { ...event, type: 'left' }])
    expect(long?.items).toHaveLength(MOST_EVENTS)
    expect(long?.items.at(-1)?.type).toBe('left')
    for (const none of ['', '[]', '{}', '{"items":1}', 'null'])
      expect(queueIn(none)).toBeUndefined()
  })

  it('is bounded, and ends with the newest', () => {
    const full = queued(undefined, Array(MOST_EVENTS).fill('subscribed'), undefined, 5)
    const { items } = queued(full, ['left'], undefined, 9)
    expect(items).toHaveLength(MOST_EVENTS)
    expect(items.at(-1)).toMatchObject({ type: 'left', at: 9 })
  })

  it('comes before all others where it is an erasure that was not tried', () => {
    const gone = erased(queue([event]), 9)
    expect(gone.dueAt).toBe(0)
    const [first] = gone.items
    const sending = claimed(gone, 100, 9)
    const given = { id: String(first?.id), lease: String(sending.lease) }
    expect(eventLines.after(sending, given, { kind: 'stopped' }, 9).line.dueAt).toBe(0)
    const failed = { kind: 'failed', failure: '503', isAway: true } as const
    expect(eventLines.after(sending, given, failed, 9).line.dueAt).toBeGreaterThan(5000)
    // What is on its way is waited for.
    expect(erased(claimed(gone, 100, 9), 10).dueAt).toBe(109)
    expect(replayed(gone, 50).dueAt).toBe(0)
  })
})
