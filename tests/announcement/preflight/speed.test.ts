import { describe, expect, it } from 'vitest'
import { speedOf } from '../../../src/announcement/preflight/speed.ts'

const here = { rate: 50, connections: 5, claiming: { roundTrips: 3, ahead: 40 } }

describe('how fast messages will leave', () => {
  it('is what was asked for where nothing is far away', () => {
    const roundTrip = { store: 80, mailServer: 20 }
    expect(speedOf({ ...here, roundTrip })).toEqual({ perSecond: 50, limit: 'rate' })
  })

  it('is less where each claim is long under way', () => {
    // 22.5 rows in each 0.6 seconds.
    const roundTrip = { store: 200, mailServer: 20 }
    expect(speedOf({ ...here, roundTrip })).toEqual({ perSecond: 37.5, limit: 'database' })
    const claiming = { roundTrips: 1, ahead: 0 }
    expect(speedOf({ ...here, claiming, roundTrip: { store: 0.5, mailServer: 20 } }).limit).toBe(
      'rate',
    )
  })

  it('is less where the mail server is far away: each message asks it four times', () => {
    const roundTrip = { store: 80, mailServer: 250 }
    expect(speedOf({ ...here, roundTrip })).toEqual({ perSecond: 5, limit: 'mail server' })
    // It keeps up with what was asked for.
    expect(speedOf({ ...here, rate: 5, roundTrip })).toEqual({ perSecond: 5, limit: 'rate' })
  })
})
