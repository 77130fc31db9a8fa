import { age, localTime, useZone } from '../times.ts'

interface TimeProps {
  /** In ISO 8601. */
  readonly at: string
  /** The server's zone: until the script runs, and without. */
  readonly zone: string
}

/** `7 Nov 2026, 14:32`, in the viewer's zone where it is known. */
export function Time({ at, zone: server }: TimeProps) {
  const { day, year, clock } = localTime(at, useZone(server))
  return (
    <time dateTime={at}>
      {day} {year}, {clock}
    </time>
  )
}

/** How long ago: `4 min`, with the time itself to be hovered over. @param now in ISO 8601. */
export function Age({ at, zone: server, now }: TimeProps & { readonly now: string }) {
  const { day, year, clock } = localTime(at, useZone(server))
  return (
    <time dateTime={at} title={`${day} ${year}, ${clock}`}>
      {age(at, now)}
    </time>
  )
}
