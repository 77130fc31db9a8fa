import { localTime, useViewersZone } from '../parts/times.ts'

/** A time in the chosen zone, in UTC, and in the viewer's zone. */
export function Moments({ at, zone }: { readonly at: number; readonly zone: string }) {
  const zones = [...new Set([zone, 'UTC', useViewersZone(zone)])]
  return (
    <>
      {zones.map((one, i) => {
        const { day, year, clock } = localTime(at, one)
        return (
          <p key={one} className={i > 0 ? 'note' : undefined}>
            <time dateTime={new Date(at).toISOString()}>
              {day} {year}, {clock}
            </time>{' '}
            {one}
          </p>
        )
      })}
    </>
  )
}
