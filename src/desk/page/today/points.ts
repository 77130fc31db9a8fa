import { say } from '../../../shared/say.ts'
import type { CurveOfSignUps, Span } from '../../contract/today.ts'
import { localTime } from '../parts/times.ts'

export interface Point {
  readonly start: number
  readonly signUps: number
  /** Everybody who had signed up at its end. */
  readonly total: number
  /** `Sat 7 Nov` */
  readonly name: string
  /** Beneath the chart. */
  readonly label: string
}

/** What the curve shows. @param zone of its days and hours, as IANA names it. */
export function pointsOf(
  { starts, signUps, before }: CurveOfSignUps,
  span: Span,
  zone: string,
): Point[] {
  let total = before
  return starts.map((start, i) => {
    total += signUps[i] ?? 0
    const { clock, day, weekday } = localTime(start, zone)
    const isLast = i === starts.length - 1
    const now = say(span === 'hour' ? 'now' : span === 'day' ? 'today' : 'this week')
    return {
      start,
      total,
      signUps: signUps[i] ?? 0,
      label: isLast ? now : day,
      name: `${weekday} ${day}`,
      ...(span === 'hour' && { name: `${weekday} ${clock}`, label: isLast ? now : clock }),
      ...(span === 'week' && { name: say('Week of {day}', { day }) }),
    }
  })
}
