import { describe, expect, it } from 'vitest'
import { streaks } from '../../../src/announcement/sending/circuit-breaker.ts'
import { doubling, patient } from '../../../src/announcement/sending/retry-policy.ts'
import type { SendOutcome } from '../../../src/mail/mailer.ts'
import type { DeliveryStatus } from '../../../src/store/delivery-ledger.ts'

const bounds = { ...patient, failedConnections: 3, deferrals: 8 }

function watch(stopShare = 1, patience = bounds) {
  const streak = streaks(patience, stopShare)
  return {
    streak,
    note(kind: SendOutcome['kind'], status: DeliveryStatus, times = 1) {
      for (let i = 0; i < times; i += 1) streak.note({ kind, answer: `said of ${kind}` }, status)
    },
  }
}

describe('what a run learns from how its messages end', () => {
  it('is nothing at first, and nothing from what is accepted', () => {
    const { streak, note } = watch()
    note('accepted', 'sent', 100)
    expect(streak.end).toBeUndefined()
    expect(streak.isTroubled).toBe(false)
    expect(streak.rest()).toBe(0)
  })

  it('is that the server is gone, at the third failed connection in a row and not before', () => {
    const { streak, note } = watch()
    note('unsent', 'queued', 2)
    note('accepted', 'sent')
    note('uncertain', 'uncertain', 2)
    expect(streak.end).toBeUndefined()
    note('unsent', 'queued')
    expect(streak.end).toEqual({ why: 'unreachable', answer: 'said of unsent' })
  })

  it('is that the server wants nothing now, at the eighth deferral in a row and not before', () => {
    const { streak, note } = watch()
    note('deferred', 'queued', 7)
    note('accepted', 'sent')
    note('deferred', 'queued', 7)
    // A lost connection between them ends no row of deferrals.
    note('unsent', 'queued')
    expect(streak.end).toBeUndefined()
    note('deferred', 'queued')
    expect(streak.end).toEqual({ why: 'deferring', answer: 'said of deferred' })
  })

  it('is that our sender is not taken, at once', () => {
    const { streak, note } = watch()
    note('unusable', 'queued')
    expect(streak.end).toEqual({ why: 'unusable', answer: 'said of unusable' })
  })

  it('is that too many fail, from the sixth failure on, and only above the share', () => {
    const few = watch(0.5)
    few.note('refused', 'failed', 5)
    expect(few.streak.end).toBeUndefined()
    few.note('refused', 'failed')
    expect(few.streak.end).toEqual({ why: 'failing', answer: 'said of refused' })

    const share = watch(0.5)
    share.note('accepted', 'sent', 6)
    share.note('refused', 'failed', 3)
    share.note('deferred', 'failed', 3)
    expect(share.streak.end).toBeUndefined()
    // Of what is finished: what is to be tried again is no success.
    share.note('deferred', 'queued')
    expect(share.streak.end).toBeUndefined()
    share.note('refused', 'failed')
    expect(share.streak.end).toMatchObject({ why: 'failing' })
  })

  it('counts what is uncertain as failed', () => {
    const { streak, note } = watch(0.5, { ...bounds, failedConnections: 100 })
    note('uncertain', 'uncertain', 6)
    expect(streak.end).toMatchObject({ why: 'failing' })
  })

  it('keeps the first reason that there was', () => {
    const { streak, note } = watch()
    note('unusable', 'queued')
    note('unsent', 'queued', 3)
    note('deferred', 'queued', 8)
    expect(streak.end).toMatchObject({ why: 'unusable' })
  })

  it('is to go one by one after a failed connection, until a message is answered', () => {
    const { streak, note } = watch()
    note('unsent', 'queued')
    expect(streak.isTroubled).toBe(true)
    note('refused', 'failed')
    expect(streak.isTroubled).toBe(false)
  })

  it('is to go one by one from the fifth deferral in a row, and not before', () => {
    const { streak, note } = watch()
    note('deferred', 'queued', 4)
    expect([streak.isTroubled, streak.rest()]).toEqual([false, 0])
    note('deferred', 'queued')
    expect(streak.isTroubled).toBe(true)
    expect(streak.rest()).toBeGreaterThan(0)
    note('accepted', 'sent')
    expect([streak.isTroubled, streak.rest()]).toEqual([false, 0])
  })

  it('is to rest twice as long each time, up to a limit', () => {
    const hour = 3_600_000
    const slow = { ...bounds, pause: hour, mostPause: 3 * hour, failedConnections: 9, deferrals: 9 }
    for (const [kind, before] of [
      ['unsent', 0],
      ['deferred', 4],
    ] as const) {
      const { streak, note } = watch(1, slow)
      note(kind, 'queued', before)
      for (const hours of [1, 2, 3, 3]) {
        note(kind, 'queued')
        expect(Math.ceil(streak.rest() / hour), kind).toBe(hours)
      }
    }
  })
})

describe('a wait that doubles', () => {
  it('begins where it is told, and never passes its limit', () => {
    const waits = [1, 2, 3, 4, 5, 6, 100].map((times) => doubling(60, 900, times))
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900])
  })
})
