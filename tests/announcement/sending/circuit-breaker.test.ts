import { describe, expect, it } from 'vitest'
import { circuitBreaker } from '../../../src/announcement/sending/circuit-breaker.ts'
import { defaultRetryPolicy } from '../../../src/announcement/sending/retry-policy.ts'
import type { SendOutcome } from '../../../src/mail/mailer.ts'
import type { DeliveryStatus } from '../../../src/store/delivery-ledger.ts'

const bounds = { ...defaultRetryPolicy, failedConnections: 3, deferrals: 8 }

function watch(stopShare = 1, retryPolicy = bounds) {
  const breaker = circuitBreaker(retryPolicy, stopShare)
  return {
    breaker,
    note(kind: SendOutcome['kind'], status: DeliveryStatus, times = 1) {
      for (let i = 0; i < times; i += 1) breaker.note({ kind, answer: `said of ${kind}` }, status)
    },
  }
}

describe('what a run learns from how its messages end', () => {
  it('is nothing at first, and nothing from what is accepted', () => {
    const { breaker, note } = watch()
    note('accepted', 'sent', 100)
    expect(breaker.end).toBeUndefined()
    expect(breaker.isTripped).toBe(false)
    expect(breaker.rest()).toBe(0)
  })

  it('is that the server is gone, at the third failed connection in a row and not before', () => {
    const { breaker, note } = watch()
    note('unsent', 'queued', 2)
    note('accepted', 'sent')
    note('uncertain', 'uncertain', 2)
    expect(breaker.end).toBeUndefined()
    note('unsent', 'queued')
    expect(breaker.end).toEqual({ why: 'unreachable', answer: 'said of unsent' })
  })

  it('is that the server wants nothing now, at the eighth deferral in a row and not before', () => {
    const { breaker, note } = watch()
    note('deferred', 'queued', 7)
    note('accepted', 'sent')
    note('deferred', 'queued', 7)
    // A lost connection between them ends no row of deferrals.
    note('unsent', 'queued')
    expect(breaker.end).toBeUndefined()
    note('deferred', 'queued')
    expect(breaker.end).toEqual({ why: 'deferring', answer: 'said of deferred' })
  })

  it('is that our sender is not taken, at once', () => {
    const { breaker, note } = watch()
    note('unusable', 'queued')
    expect(breaker.end).toEqual({ why: 'unusable', answer: 'said of unusable' })
  })

  it('is nothing from greylisting, which says nothing of the server', () => {
    const { breaker, note } = watch()
    note('deferred', 'queued', 7)
    for (let i = 0; i < 100; i += 1)
      breaker.note({ kind: 'deferred', answer: 'greylisted', says: 'greylisting' }, 'queued')
    expect(breaker.end).toBeUndefined()
    note('deferred', 'queued')
    expect(breaker.end).toMatchObject({ why: 'deferring', answer: 'said of deferred' })
  })

  it('is that our letters of the day are used up, at once', () => {
    const { breaker } = watch()
    breaker.note({ kind: 'unusable', answer: 'enough', says: 'quota' }, 'queued')
    expect(breaker.end).toEqual({ why: 'unusable', answer: 'enough' })
  })

  it('is nothing from a letter that the server was not offered', () => {
    const { breaker } = watch(0)
    for (let i = 0; i < 100; i += 1)
      breaker.note({ kind: 'refused', answer: 'odd', says: 'ascii-only' }, 'failed')
    expect(breaker.end).toBeUndefined()
  })

  it('is that too many fail, from the sixth failure on, and only above the share', () => {
    const few = watch(0.5)
    few.note('refused', 'failed', 5)
    expect(few.breaker.end).toBeUndefined()
    few.note('refused', 'failed')
    expect(few.breaker.end).toEqual({ why: 'failing', answer: 'said of refused' })

    const share = watch(0.5)
    share.note('accepted', 'sent', 6)
    share.note('refused', 'failed', 3)
    share.note('deferred', 'failed', 3)
    expect(share.breaker.end).toBeUndefined()
    // Of what is finished: what is to be tried again is no success.
    share.note('deferred', 'queued')
    expect(share.breaker.end).toBeUndefined()
    share.note('refused', 'failed')
    expect(share.breaker.end).toMatchObject({ why: 'failing' })
  })

  it('counts what is uncertain as failed', () => {
    const { breaker, note } = watch(0.5, { ...bounds, failedConnections: 100 })
    note('uncertain', 'uncertain', 6)
    expect(breaker.end).toMatchObject({ why: 'failing' })
  })

  it('keeps the first reason that there was', () => {
    const { breaker, note } = watch()
    note('unusable', 'queued')
    note('unsent', 'queued', 3)
    note('deferred', 'queued', 8)
    expect(breaker.end).toMatchObject({ why: 'unusable' })
  })

  it('is to go one by one after a failed connection, until a message is answered', () => {
    const { breaker, note } = watch()
    note('unsent', 'queued')
    expect(breaker.isTripped).toBe(true)
    note('refused', 'failed')
    expect(breaker.isTripped).toBe(false)
  })

  it('is to go one by one from the fifth deferral in a row, and not before', () => {
    const { breaker, note } = watch()
    note('deferred', 'queued', 4)
    expect([breaker.isTripped, breaker.rest()]).toEqual([false, 0])
    note('deferred', 'queued')
    expect(breaker.isTripped).toBe(true)
    expect(breaker.rest()).toBeGreaterThan(0)
    note('accepted', 'sent')
    expect([breaker.isTripped, breaker.rest()]).toEqual([false, 0])
  })

  it('is not to wait for longer than somebody waits who looks on, while all is put off', () => {
    const hour = 3_600_000
    const slow = { ...bounds, pause: hour, maxPause: 9 * hour, deferrals: 99 }
    const { breaker, note } = watch(1, { ...slow, patience: 2.5 * hour })
    note('deferred', 'queued', 6)
    expect([breaker.end, breaker.answer]).toEqual([undefined, 'said of deferred'])
    note('deferred', 'queued')
    expect(breaker.end).toMatchObject({ why: 'deferring' })
    const unseen = watch(1, slow)
    unseen.note('deferred', 'queued', 20)
    expect(unseen.breaker.end).toBeUndefined()
  })

  it('is to rest twice as long each time, up to a limit', () => {
    const hour = 3_600_000
    const slow = { ...bounds, pause: hour, maxPause: 3 * hour, failedConnections: 9, deferrals: 9 }
    for (const [kind, before] of [
      ['unsent', 0],
      ['deferred', 4],
    ] as const) {
      const { breaker, note } = watch(1, slow)
      note(kind, 'queued', before)
      for (const hours of [1, 2, 3, 3]) {
        note(kind, 'queued')
        expect(Math.ceil(breaker.rest() / hour), kind).toBe(hours)
      }
    }
  })
})
