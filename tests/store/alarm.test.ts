import { describe, expect, it } from 'vitest'
import { alarmRule } from '../../src/store/alarm.ts'
import type { AlarmState } from '../../src/store/notices.ts'

const start = new Date('2026-03-01T09:00:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const later = (ms: number) => new Date(start.getTime() + ms)

/** Looks at what is wrong again and again. @returns what was told, with the minutes since the start. */
function told(
  minutes: number,
  isWrong: (minute: number) => boolean | undefined,
  calmMs = 0,
): [minute: number, type: string][] {
  let alarm: AlarmState | undefined
  const events: [number, string][] = []
  const keys: string[] = []
  for (let minute = 0; minute <= minutes; minute++) {
    const now = later(minute * MINUTE)
    const seen = {
      kind: 'backup' as const,
      isWrong: isWrong(minute),
      data: { minute },
      now,
      calmMs,
    }
    const change = alarmRule(seen)(alarm)
    // Whoever asks twice, since another was faster, is told the same.
    expect(alarmRule(seen)(alarm)).toEqual(change)
    alarm = change.alarm ?? alarm
    if (change.event) {
      events.push([minute, change.event.type])
      keys.push(change.event.key)
    }
  }
  expect(new Set(keys).size).toBe(keys.length)
  return events
}

describe('an alarm', () => {
  it('is told when it begins and when it ends', () => {
    expect(told(100, (minute) => minute >= 10 && minute < 40)).toEqual([
      [10, 'alarm.began'],
      [40, 'alarm.ended'],
    ])
  })

  it('is told once more a day later, and then no more until it ends', () => {
    expect(told(3 * 24 * 60, (minute) => minute < 60 * 24 * 2.5)).toEqual([
      [0, 'alarm.began'],
      [24 * 60, 'alarm.goes_on'],
      [60 * 24 * 2.5, 'alarm.ended'],
    ])
  })

  it('that comes and goes begins once an hour at most', () => {
    const events = told(5 * 60, (minute) => minute % 2 === 0)
    const begun = events.flatMap(([minute, type]) => (type === 'alarm.began' ? [minute] : []))
    expect(begun).toEqual([0, 60, 120, 180, 240, 300])
  })

  it('that has to be calm for a while is not ended by a moment', () => {
    const events = told(4 * 60, (minute) => minute < 180 && minute % 3 !== 0, 10 * MINUTE)
    expect(events).toEqual([
      [1, 'alarm.began'],
      [190, 'alarm.ended'],
    ])
  })

  it('is as it was where nobody can say', () => {
    expect(told(100, (minute) => (minute === 5 ? true : undefined))).toEqual([[5, 'alarm.began']])
  })

  it('of another announcement, or for another reason, is another one', () => {
    const seen = (data: object, isWrong: boolean | undefined = true) =>
      alarmRule({ kind: 'announcement', isWrong, data: { ...data }, now: start })
    const one = { announcement: 'one', why: 'failing' }
    const { alarm } = seen(one)(undefined)
    for (const other of [
      { ...one, why: 'leaving' },
      { ...one, announcement: 'other' },
    ])
      expect(seen(other)(alarm).event).toMatchObject({ type: 'alarm.began', data: other })
    expect(seen({ ...one, announcement: 'other' }, false)(alarm)).toEqual({})
    expect(seen({ ...one, why: 'done' }, false)(alarm).event).toMatchObject({
      type: 'alarm.ended',
      data: one,
    })
  })

  it('that goes on is told of once more where nobody can say', () => {
    const day = 24 * 60
    expect(told(3 * day, (minute) => (minute === 5 ? true : undefined))).toEqual([
      [5, 'alarm.began'],
      [5 + day, 'alarm.goes_on'],
    ])
  })

  it('is told although the clock was put back by years', () => {
    const seen = { kind: 'backup' as const, isWrong: true, data: {} }
    const { alarm } = alarmRule({ ...seen, now: later(1e5 * HOUR) })(undefined)
    const ended = alarmRule({ ...seen, isWrong: false, now: later(1e5 * HOUR) })(alarm)
    expect(alarmRule({ ...seen, now: start })(ended.alarm).event?.type).toBe('alarm.began')
  })

  it('says since when, and what was seen', () => {
    const { alarm, event } = alarmRule({
      kind: 'quarantine',
      isWrong: true,
      data: { number: 120 },
      now: start,
    })(undefined)
    expect(event).toEqual({
      key: 'alarm.began:quarantine:2026-03-01T09:00:00.000Z',
      type: 'alarm.began',
      at: start,
      data: { alarm: 'quarantine', since: start.toISOString(), number: 120 },
    })
    const end = alarmRule({
      kind: 'quarantine',
      isWrong: false,
      data: { number: 3 },
      now: later(HOUR),
    })(alarm)
    expect(end.event?.data).toMatchObject({
      since: start.toISOString(),
      until: later(HOUR).toISOString(),
    })
  })
})
