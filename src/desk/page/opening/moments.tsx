import { localTime, useZone } from '../times.ts'

/** A time as the clocks show it in the zone that was chosen, in UTC, and where whoever looks is. */
export function Moments({ at, zone }: { readonly at: number; readonly zone: string }) {
  const zones = [...new Set([zone, 'UTC', useZone(zone)])]
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
