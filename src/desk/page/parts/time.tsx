import { age, localTime } from './times.ts'
import { useShell } from './view.ts'

interface TimeProps {
  /** In milliseconds since 1970. */
  readonly at: number
}

/** `7 Nov 2026, 14:32`, in the product's zone. */
export function Time({ at }: TimeProps) {
  const { day, year, clock } = localTime(at, useShell().zone)
  return (
    <time dateTime={new Date(at).toISOString()}>
      {day} {year}, {clock}
    </time>
  )
}

interface AgeProps extends TimeProps {
  readonly isAgo?: true
}

/** How long ago: `4 min`, with the time itself to be hovered over. */
export function Age({ at, isAgo }: AgeProps) {
  const { now, zone } = useShell()
  const { day, year, clock } = localTime(at, zone)
  return (
    <time dateTime={new Date(at).toISOString()} title={`${day} ${year}, ${clock}`}>
      {age(at, now, isAgo)}
    </time>
  )
}

/** `4 min ago`, or `now`. */
export const Ago = ({ at }: TimeProps) => <Age at={at} isAgo />
