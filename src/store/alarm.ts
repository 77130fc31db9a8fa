import { isTime, objectIn } from '../shared/stored-json.ts'
import type { AlarmKind, AlarmState, NewNotice, NoticeData } from './notices.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * An alarm as it is stored, which anybody may have written. @returns nothing of one that cannot be
 * read: it is as if it had never been.
 */
export function alarmIn(stored: unknown): AlarmState | undefined {
  const { isOn, since, isReminded, calmSince, data: noted } = objectIn(stored) ?? {}
  const data = objectIn(noted)
  if (!data || !isTime(since)) return undefined
  return {
    ...{ isOn: isOn === true, since, isReminded: isReminded === true, data },
    ...(isTime(calmSince) && { calmSince }),
  }
}

/** @returns what an alarm becomes, and what is told of that. */
export type DecideAlarm = (known: AlarmState | undefined) => {
  readonly alarm?: AlarmState | undefined
  readonly event?: NewNotice | undefined
}

export interface AlarmSeen {
  readonly kind: AlarmKind
  /** Left out where it is not known: nothing changes. */
  readonly isWrong: boolean | undefined
  /** The data of its notices. */
  readonly data: NoticeData
  readonly now: Date
  /** How long everything must be well before it ends, in milliseconds. */
  readonly calmMs?: number
}

/**
 * An alarm is told when it begins, once more a day later, and when it ends. It begins once an hour at
 * most, so that a fault that comes and goes is not told all day.
 */
export function alarmRule(seen: AlarmSeen): DecideAlarm {
  const { kind, isWrong, data, calmMs = 0 } = seen
  const now = seen.now.getTime()

  /** False if the clock was put back since. */
  function isWithinTheHour(known: AlarmState | undefined) {
    return known !== undefined && known.since <= now && now - known.since < HOUR_MS
  }

  function told(state: AlarmState, type: NewNotice['type'], more: NoticeData = {}) {
    const since = new Date(state.since).toISOString()
    // Two reasons may come in the same millisecond.
    const key = [type, kind, state.data.why ?? [], since].flat().join(':')
    const event: NewNotice = {
      key,
      type,
      at: seen.now,
      data: { alarm: kind, since, ...state.data, ...more },
    }
    return { alarm: state, event }
  }

  return (known) => {
    if (isWrong === undefined) return {}
    if (!known?.isOn) {
      if (!isWrong || isWithinTheHour(known)) return {}
      return told({ isOn: true, since: now, isReminded: false, data }, 'alarm.began')
    }
    const { calmSince, ...state } = known
    if (isWrong) {
      if (!known.isReminded && now - known.since >= DAY_MS)
        return told({ ...state, isReminded: true, data }, 'alarm.goes_on')
      return calmSince === undefined ? {} : { alarm: state }
    }
    // The begin of the calm is noted first.
    if (calmMs > 0 && now - (calmSince ?? now) < calmMs)
      return calmSince === undefined ? { alarm: { ...state, calmSince: now } } : {}
    const until = new Date(calmSince ?? now).toISOString()
    return told({ ...state, isOn: false }, 'alarm.ended', { until })
  }
}
