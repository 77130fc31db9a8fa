import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepTimeIn } from '../../src/product/time-zone.ts'
import { localTime } from '../../src/shared/local-time.ts'
import { ownZone } from '../../src/shared/time-zone.ts'

const summer = new Date('2026-07-01T12:00:00Z')

afterEach(() => vi.unstubAllEnvs())

describe('the operator is told times', () => {
  it.each([
    ['in the product’s zone, whatever the machine’s is', 'Asia/Tokyo', 'Europe/Berlin', '14:00'],
    ['in the machine’s, where the product has none', 'Asia/Tokyo', undefined, '21:00'],
    ['in the machine’s, where the product’s is none', 'Asia/Tokyo', 'Berlin/Mitte', '21:00'],
    ['in UTC, where TZ is empty', '', undefined, '12:00'],
    ['in UTC, where TZ names no zone', 'Nowhere/Here', undefined, '12:00'],
    ['in the product’s zone, where TZ is empty', '', 'America/New_York', '08:00'],
  ])('%s', (_, machine, zone, clock) => {
    vi.stubEnv('TZ', machine)
    keepTimeIn(zone)
    expect(localTime(summer)).toBe(`2026-07-01 ${clock}`)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: ownZone() })).not.toThrow()
    expect(process.env.TZ).toBe(ownZone())
  })
})
