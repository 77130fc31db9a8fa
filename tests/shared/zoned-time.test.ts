import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTimeZone } from '../../src/shared/time-zone.ts'
import { readMoment, spokenInBoth } from '../../src/shared/zoned-time.ts'

const moment = (text: string, zone?: string) => {
  const read = readMoment(text, zone)
  return 'mistake' in read ? read : { at: read.at.toISOString(), zone: read.zone }
}

describe('a time in a zone', () => {
  it.each([
    ['2027-01-12T09:00', 'Europe/Berlin', '2027-01-12T08:00:00.000Z'],
    ['2027-07-12T09:00', 'Europe/Berlin', '2027-07-12T07:00:00.000Z'],
    ['2027-07-12T09:00:30', 'America/New_York', '2027-07-12T13:00:30.000Z'],
    ['2027-07-12 09:00', 'Asia/Kolkata', '2027-07-12T03:30:00.000Z'],
    ['2027-07-12T09:00', 'UTC', '2027-07-12T09:00:00.000Z'],
    ['2027-01-01T00:00', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
    ['2027-01-01T00:00', 'Pacific/Niue', '2027-01-01T11:00:00.000Z'],
    ['2027-01-12T09:00+01:00', 'Europe/Berlin', '2027-01-12T08:00:00.000Z'],
    ['2028-02-29T00:00', 'Europe/London', '2028-02-29T00:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, at) => {
    expect(moment(text, zone)).toEqual({ at, zone })
  })

  it('needs a zone, but for UTC that is written out', () => {
    expect(moment('2027-01-12T09:00')).toMatchObject({
      wrong: 'zone',
      mistake: expect.stringMatching(/^is missing: .*2027-01-12T09:00/),
    })
    expect(moment('2027-01-12T09:00+01:00')).toMatchObject({ wrong: 'zone' })
    expect(moment('2027-01-12T09:00Z')).toEqual({ at: '2027-01-12T09:00:00.000Z', zone: 'UTC' })
  })

  it.each([
    '',
    '2027-01-12',
    '2027-02-30T09:00',
    '2027-01-12T24:00',
    '12.01.2027 09:00',
    '02027-01-12T09:00',
  ])('%j is none', (text) => {
    expect(moment(text, 'UTC')).toMatchObject({
      wrong: 'at',
      mistake: expect.stringContaining(text),
    })
  })

  it.each(['', 'Europe/Atlantis', 'CET', '+01:00', 'Europe/Berlin; rm'])(
    '%j is no zone',
    (zone) => {
      expect(isTimeZone(zone)).toBe(false)
      expect(moment('2027-01-12T09:00', zone)).toMatchObject({ wrong: 'zone' })
    },
  )
})

describe('the changes of daylight saving', () => {
  it.each([
    ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:59', '2027-03-28T03:00'],
    ['Europe/Berlin', '2027-03-28T02:00', '2027-03-28T01:59', '2027-03-28T03:00'],
    ['America/New_York', '2027-03-14T02:15', '2027-03-14T01:59', '2027-03-14T03:00'],
    ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-03T01:59', '2027-10-03T02:30'],
    ['America/Santiago', '2027-09-05T00:30', '2027-09-04T23:59', '2027-09-05T01:00'],
  ])('in %s there is no %s: %s or %s is meant', (zone, text, before, after) => {
    const mistake = `there is no ${text} in ${zone}, as the clocks are put forward: write ${before} or ${after}`
    expect(moment(text, zone)).toEqual({ wrong: 'at', mistake })
    // What is advised is taken.
    for (const one of [before, after]) expect(moment(one, zone)).toHaveProperty('at')
  })

  it.each([
    ['Europe/Berlin', '2026-10-25T02:30', '+02:00', '+01:00'],
    ['America/New_York', '2026-11-01T01:30', '-04:00', '-05:00'],
    ['Australia/Lord_Howe', '2027-04-04T01:45', '+11:00', '+10:30'],
  ])('in %s %s comes twice: at %s and at %s', (zone, text, first, second) => {
    const mistake = `${text} comes twice in ${zone}, as the clocks are put back: write ${text}${first} for the first, or ${text}${second} for the second`
    expect(moment(text, zone)).toEqual({ wrong: 'at', mistake })
    const moments = [first, second].map((offset) => readMoment(text + offset, zone))
    const at = moments.map((one) => ('at' in one ? Number(one.at) : 0))
    expect(at).toEqual([first, second].map((offset) => Date.parse(text + offset)))
  })

  it('end before the hour and begin after it', () => {
    expect(moment('2026-10-25T03:00', 'Europe/Berlin')).toMatchObject({
      at: '2026-10-25T02:00:00.000Z',
    })
    expect(moment('2026-10-25T01:59', 'Europe/Berlin')).toMatchObject({
      at: '2026-10-24T23:59:00.000Z',
    })
    expect(moment('2027-03-28T03:00', 'Europe/Berlin')).toMatchObject({
      at: '2027-03-28T01:00:00.000Z',
    })
  })

  it('make no offset true that the zone has not then', () => {
    expect(moment('2027-01-12T09:00+02:00', 'Europe/Berlin')).toEqual({
      wrong: 'at',
      mistake:
        '2027-01-12T09:00+02:00 is no time in Europe/Berlin, where it is 2027-01-12T08:00 then',
    })
  })
})

it('reads every moment of every zone back as it says it', { tags: 'thorough' }, () => {
  const zones = Intl.supportedValuesOf('timeZone').filter(isTimeZone)
  expect(zones.length).toBeGreaterThan(300)
  const minutes = fc.integer({ min: Date.UTC(2026, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 })
  fc.assert(
    fc.property(fc.constantFrom(...zones), minutes, (zone, minute) => {
      const at = new Date(minute * 60_000)
      const spoken = spokenInBoth(at, zone).slice(0, 16)
      const read = readMoment(spoken, zone)
      if ('at' in read) return read.at.getTime() === at.getTime()
      // Only the hour that comes twice cannot be read without its offset, and both of it are named.
      const offsets = [...read.mistake.matchAll(/write (\S+) .* or (\S+) for/g)].flat().slice(1)
      return offsets.some((one) => Date.parse(one) === at.getTime())
    }),
    { numRuns: 2000 },
  )
})

it('is shown in the zone of whoever set it, and in UTC', () => {
  const at = new Date('2027-07-12T07:00:00Z')
  expect(spokenInBoth(at, 'Europe/Berlin')).toBe(
    '2027-07-12 09:00 Europe/Berlin, which is 2027-07-12 07:00 UTC',
  )
  expect(spokenInBoth(at, 'UTC')).toBe('2027-07-12 07:00 UTC')
})
