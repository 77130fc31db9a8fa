import { describe, expect, it } from 'vitest'
import { rowProblemInWords } from '../../src/cli/commands/table-words.ts'
import { readTime } from '../../src/tables/row-time.ts'

const iso = (value: unknown, reading = {}) => {
  const time = readTime(value, reading)
  return time instanceof Date ? time.toISOString() : rowProblemInWords(time)
}

describe('a time in a file', () => {
  it('is read as services and spreadsheets write it', () => {
    for (const [written, meant] of [
      ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
      ['2024-03-14 09:12:31', '2024-03-14T09:12:31.000Z'],
      ['2026-01-05T10:20+02:00', '2026-01-05T08:20:00.000Z'],
      ['2023-01-05 10:20:30.123456+00:00', '2023-01-05T10:20:30.123Z'],
      ['2023-01-06 15:50:30.5 +0530 IST', '2023-01-06T10:20:30.500Z'],
      ['2020-01-02 03:04:05 UTC', '2020-01-02T03:04:05.000Z'],
      ['2026/01/05', '2026-01-05T00:00:00.000Z'],
      ['Fri, 21 Oct 2011 11:02:55 GMT', '2011-10-21T11:02:55.000Z'],
      ['Mon Jan 05 2026 10:20:30 GMT+0200 (Central European Time)', '2026-01-05T08:20:30.000Z'],
      ['Jan 5, 2026 12:20 AM', '2026-01-05T00:20:00.000Z'],
      ['5 January 2026 at 12:20 pm', '2026-01-05T12:20:00.000Z'],
      ['1/31/2026 2:05 PM', '2026-01-31T14:05:00.000Z'],
      ['31.01.2026, 14:05', '2026-01-31T14:05:00.000Z'],
      ['21-01-26 10:22:05', '2026-01-21T10:22:05.000Z'],
      ['1682345678', '2023-04-24T14:14:38.000Z'],
      [1682345678901, '2023-04-24T14:14:38.901Z'],
      ['45123.5', '2023-07-16T12:00:00.000Z'],
      ['2026-01-05 12:59:59 PM', '2026-01-05T12:59:59.000Z'],
      ['2026-01-05 23:59:59+14:00', '2026-01-05T09:59:59.000Z'],
      ['12/12/2026', '2026-12-12T00:00:00.000Z'],
      ['12/13/2026', '2026-12-13T00:00:00.000Z'],
    ])
      expect(iso(written), String(written)).toBe(meant)
  })

  it('is read as databases, forms and logs write it', () => {
    const meant = '2026-09-11T10:15:30.000Z'
    for (const written of [
      '2026-09-11 10:15:30.000000+00',
      '2026/09/11 7:15:30 PM GMT+9',
      'Fri Sep 11 2026 12:15:30 GMT+0200 (Mitteleuropäische Sommerzeit)',
      '11-SEP-26 10:15:30.000000 AM',
      'September 11, 2026 at 10:15:30 AM UTC',
      '1789121730000000',
    ])
      expect(iso(written), JSON.stringify(written)).toBe(meant)
    expect(iso('11-Sep-2026')).toBe('2026-09-11T00:00:00.000Z')
  })

  it('keeps what it has of a second', () => {
    expect(iso('1789121730123456')).toMatch(/30\.123Z$/)
  })

  it('is in UTC where it names no zone, or in the one that is given', () => {
    const reading = { utcOffset: '-05:30' }
    expect(iso('2026-01-05 10:00', reading)).toBe('2026-01-05T15:30:00.000Z')
    expect(iso('2026-01-05 10:00Z', reading)).toBe('2026-01-05T10:00:00.000Z')
    expect(iso('45123.5', reading)).toBe('2023-07-16T17:30:00.000Z')
  })

  it('is not guessed where day and month can be either', () => {
    for (const either of ['03/04/2026', '12/04/2026', '04/12/26', '1-2-2026', '12/11/2026 10:20'])
      expect(iso(either), either).toBe(
        `${either} may be day or month first: say which, with --dates`,
      )
    expect(iso('03.04.2026')).toBe('2026-04-03T00:00:00.000Z')
    expect(iso('03/04/2026', { dates: 'day-first' })).toBe('2026-04-03T00:00:00.000Z')
    expect(iso('03/04/2026', { dates: 'month-first' })).toBe('2026-03-04T00:00:00.000Z')
    expect(iso('13/04/2026', { dates: 'month-first' })).toBe('2026-04-13T00:00:00.000Z')
  })

  it('is refused where there is no such time, or no such zone', () => {
    for (const none of [
      '2026-02-30',
      '2026-01-01 25:00',
      '2026-01-01 10:61',
      '2026-01-01 10:00 IST',
      '4. März 2026',
      '2026-01-0510:20',
      '2026-01-05 10:20:75',
      '2026-01-05 10:60:00',
      '2026-01-05 24:00',
      '2026-01-05 19:05 PM',
      '2026-01-05 13:05 AM',
      '2026-01-05 0:05 PM',
      '2026-01-05 10:20+15:00',
      '2026-01-05 10:20+05:60',
      '2026-13-01',
    ])
      expect(iso(none), none).toMatch(/is not a time$/)
    for (const none of [
      'soon',
      '',
      '12',
      '9'.repeat(14),
      null,
      true,
      {},
      { toString: 'x' },
      Number.NaN,
    ])
      expect(iso(none)).toMatch(/is not a time$/)
    expect(iso('1'.repeat(1e6)).length).toBeLessThan(200)
  })
})
