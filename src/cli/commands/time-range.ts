import type { TimeRange } from '../../store/subscriber-list.ts'
import { Misuse } from '../../terminal/operator-error.ts'

export interface TimeOptions {
  readonly since?: string
  readonly until?: string
}

/** @throws OperatorError for a time that cannot be read. */
export function timeRange({ since, until }: TimeOptions, now = new Date()): TimeRange {
  return {
    ...(since !== undefined && { since: parseTime('--since', since, now) }),
    ...(until !== undefined && { until: parseTime('--until', until, now) }),
  }
}

export const TIME_RULE = 'a day (2026-11-20), a time (2026-11-20T14:00) or how long ago (24h, 7d)'

function parseTime(name: string, text: string, now: Date): Date {
  const ago = /^(\d{1,5})([hd])$/.exec(text)
  if (ago)
    return new Date(now.getTime() - Number(ago[1]) * (ago[2] === 'h' ? 3_600_000 : 86_400_000))
  // A day without a time begins at midnight of the operator's time zone.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(text)
  const time = new Date(isDay ? `${text}T00:00` : text)
  if ((isDay || isTime) && !Number.isNaN(time.getTime())) return time
  throw new Misuse(`${name}: is "${text}", must be ${TIME_RULE}`)
}
