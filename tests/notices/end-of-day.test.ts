import { afterAll, describe, expect, it, vi } from 'vitest'
import { lastEndedDay } from '../../src/notices/end-of-day.ts'

const nine = { hour: 9, minute: 0 }
const HOUR = 3_600_000
const at = (text: string) => new Date(text)
const inZone = (zone: string) => void vi.stubEnv('TZ', zone)
afterAll(() => void vi.unstubAllEnvs())

function ended(now: string, time = nine, zone = 'Europe/Berlin') {
  inZone(zone)
  const { day, from, to } = lastEndedDay(at(now), time)
  return [day, from.toISOString(), to.toISOString()]
}

describe('the last day that is over', () => {
  it('ends at the hour of the zone, by winter and by summer time', () => {
    expect(ended('2026-01-15T07:59:59Z')).toEqual([
      '2026-01-14',
      '2026-01-13T08:00:00.000Z',
      '2026-01-14T08:00:00.000Z',
    ])
    expect(ended('2026-01-15T08:00:00Z')).toEqual([
      '2026-01-15',
      '2026-01-14T08:00:00.000Z',
      '2026-01-15T08:00:00.000Z',
    ])
    expect(ended('2026-07-15T07:00:00Z')).toEqual([
      '2026-07-15',
      '2026-07-14T07:00:00.000Z',
      '2026-07-15T07:00:00.000Z',
    ])
  })

  it('is of its own date in zones that are far ahead or behind', () => {
    expect(ended('2026-01-15T00:00:00Z', nine, 'Pacific/Kiritimati')[0]).toBe('2026-01-15')
    expect(ended('2026-01-15T00:00:00Z', nine, 'Pacific/Pago_Pago')[0]).toBe('2026-01-14')
    const [day, , to] = ended('2026-01-15T03:14:00Z', nine, 'Asia/Kathmandu')
    expect([day, to]).toEqual(['2026-01-14', '2026-01-14T03:15:00.000Z'])
  })

  it('has 23 hours where the clocks go forward, and 25 where they go back', () => {
    const hours = (now: string) => {
      const [, from = '', to = ''] = ended(now)
      return (at(to).getTime() - at(from).getTime()) / HOUR
    }
    expect(hours('2026-03-29T12:00:00Z')).toBe(23)
    expect(hours('2026-10-25T12:00:00Z')).toBe(25)
    expect(hours('2026-10-26T12:00:00Z')).toBe(24)
  })

  it('ends at a time that the clocks skip as long after the change', () => {
    const half = { hour: 2, minute: 30 }
    expect(ended('2026-03-29T12:00:00Z', half)[2]).toBe('2026-03-29T01:30:00.000Z')
  })

  it('ends at a time that the clocks show twice when they show it first', () => {
    const half = { hour: 2, minute: 30 }
    expect(ended('2026-10-25T00:30:00Z', half)[2]).toBe('2026-10-25T00:30:00.000Z')
    expect(ended('2026-10-25T01:45:00Z', half)[2]).toBe('2026-10-25T00:30:00.000Z')
  })
})
