import { asFlag, asMoment, objectIn, reader } from '../shared/stored-json.ts'
import type { AlarmKind, AlarmState, NewNotice, NoticeData } from './notices.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * An alarm as it is stored, which anybody may have written. @returns nothing of one that cannot be
 * read: it is as if it had never been.
 */
export const alarmIn = reader<AlarmState>(
  { isOn: asFlag, since: asMoment, isReminded: asFlag, data: objectIn },
  { calmSince: asMoment },
)

/** @returns what an alarm becomes, and what is told of that. */
export type DecideAlarm = (known: AlarmState | undefined) => {
  readonly alarm?: AlarmState | undefined
  readonly event?: NewNotice | undefined
}

export interface AlarmSeen {
  readonly kind: AlarmKind
  /** Left out where it is not known: it is as it was. */
  readonly isWrong: boolean | undefined
  /** The data of its notices. */
  readonly data: NoticeData
  readonly now: Date
  /** How long everything must be well before it ends, in milliseconds. */
  readonly calmMs?: number
}

/**
 * An alarm is told when it begins, once more a day later, and when it ends. It begins once an hour at
 * most, so that a fault that comes and goes is not told all day. One of another announcement, or for
 * another reason, is another alarm: it is told as well, and what ends another announcement ends
 * nothing of this one.
 */
export function alarmRule({ kind, isWrong, data, now: at, calmMs = 0 }: AlarmSeen): DecideAlarm {
  const now = at.getTime()
  const isOther = ({ announcement, why }: NoticeData) =>
    announcement !== data.announcement || (isWrong && why !== data.why)

  function told(alarm: AlarmState, type: NewNotice['type'], more: NoticeData = {}) {
    const since = new Date(alarm.since).toISOString()
    // Two reasons may come in the same millisecond.
    const key = [type, kind, alarm.data.why ?? [], since].flat().join(':')
    return { alarm, event: { key, type, at, data: { alarm: kind, since, ...alarm.data, ...more } } }
  }

  const goesOn = (state: AlarmState) =>
    !state.isReminded && now - state.since >= DAY_MS
      ? told({ ...state, isReminded: true }, 'alarm.goes_on')
      : undefined

  return (last) => {
    if (isWrong === undefined) return (last?.isOn && goesOn(last)) || {}
    const known = last && !isOther(last.data) ? last : undefined
    if (!known?.isOn) {
      // False if the clock was put back since.
      const isWithinTheHour = known && known.since <= now && now - known.since < HOUR_MS
      if (!isWrong || isWithinTheHour) return {}
      return told({ isOn: true, since: now, isReminded: false, data }, 'alarm.began')
    }
    const { calmSince, ...state } = known
    if (isWrong)
      return goesOn({ ...state, data }) ?? (calmSince === undefined ? {} : { alarm: state })
    // The begin of the calm is noted first.
    if (calmMs > 0 && now - (calmSince ?? now) < calmMs)
      return calmSince === undefined ? { alarm: { ...state, calmSince: now } } : {}
    const until = new Date(calmSince ?? now).toISOString()
    return told({ ...state, isOn: false }, 'alarm.ended', { until })
  }
}
