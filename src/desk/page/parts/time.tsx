import { age, localTime } from '../times.ts'
import { useShell } from '../view.ts'

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

/** How long ago: `4 min`, with the time itself to be hovered over. @param now left out, the page's. */
export function Age({ at, now }: TimeProps & { readonly now?: number | undefined }) {
  const shell = useShell()
  const { day, year, clock } = localTime(at, shell.zone)
  return (
    <time dateTime={new Date(at).toISOString()} title={`${day} ${year}, ${clock}`}>
      {age(at, now ?? shell.now)}
    </time>
  )
}

/** `4 min ago`, or `now`. @param now left out, the page's. */
export function Ago({ at, now }: TimeProps & { readonly now?: number | undefined }) {
  const shell = useShell()
  return (
    <>
      <Age at={at} now={now} />
      {age(at, now ?? shell.now) === 'now' ? '' : ' ago'}
    </>
  )
}
