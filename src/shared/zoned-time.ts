import { say } from './say.ts'
import { isTimeZone } from './time-zone.ts'

/** A local time of some zone, in milliseconds as if the zone were UTC. */
type WallTime = number

const DAY_MS = 86_400_000
const wallTime = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d)?$/

const AT_RULE = 'a time like 2027-01-12T09:00'
export const ZONE_RULE = 'the name of a time zone, like Europe/Berlin, America/New_York or UTC'

/** The moment, or the mistake and the part that has it. */
export type ReadMoment =
  | { readonly at: Date; readonly zone: string }
  | { readonly wrong: 'at' | 'zone'; readonly mistake: string }

/**
 * Reads a time in a zone. A time that daylight saving skips or repeats is a mistake, which names
 * the possible times; an offset, as in `02:30+01:00`, makes it clear.
 */
export function readMoment(text: string, zone: string | undefined): ReadMoment {
  const wall = parseWallTime(text)
  if (wall === undefined)
    return {
      wrong: 'at',
      mistake: say('is "{text}", must be {rule}', { text, rule: say(AT_RULE) }),
    }
  const offset = text.match(wallTime)?.[7]
  if (zone === undefined) {
    if (offset !== 'Z')
      return {
        wrong: 'zone',
        mistake: say(
          'is missing: it is the zone of {text}, such as Europe/Berlin, America/New_York or UTC',
          { text },
        ),
      }
    return { at: new Date(wall), zone: 'UTC' }
  }
  if (!isTimeZone(zone))
    return {
      wrong: 'zone',
      mistake: say('is "{zone}", must be {rule}', { zone, rule: say(ZONE_RULE) }),
    }
  const moments = momentsOf(wall, zone)
  if (offset !== undefined) return withOffset(text, wall, offset, zone, moments)
  const [first, second] = moments
  if (second && first)
    return {
      wrong: 'at',
      mistake: say(
        '{text} comes twice in {zone}, as the clocks are put back: write {first} for the first, or {second} for the second',
        {
          text,
          zone,
          first: withOwnOffset(first, zone),
          second: withOwnOffset(second, zone),
        },
      ),
    }
  if (first) return { at: first, zone }
  const [before, after] = aroundGap(wall, zone)
  return {
    wrong: 'at',
    mistake: say(
      'there is no {text} in {zone}, as the clocks are put forward: write {before} or {after}',
      { text, zone, before: wallText(before, zone), after: wallText(after, zone) },
    ),
  }
}

/** `2027-01-12 09:00 Europe/Berlin` */
function spokenMoment(at: Date, zone: string): string {
  return `${wallText(at, zone).replace('T', ' ')} ${zone}`
}

/** The same in the operator's zone and in UTC, once if these are one. */
export function spokenInBoth(at: Date, zone: string): string {
  const theirs = spokenMoment(at, zone)
  return zone === 'UTC'
    ? theirs
    : say('{theirs}, which is {inUtc}', { theirs, inUtc: spokenMoment(at, 'UTC') })
}

function parseWallTime(text: string): WallTime | undefined {
  const [, year, month, day, hour, minute, second = '0'] = wallTime.exec(text) ?? []
  if (year === undefined) return undefined
  const parts = [year, month, day, hour, minute, second].map(Number) as number[]
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts
  const time = Date.UTC(y, mo - 1, d, h, mi, s)
  // A 30th of February would become a day of March.
  const isReal = new Date(time)
    .toISOString()
    .startsWith(`${year}-${month}-${day}T${hour}:${minute}`)
  return isReal ? time : undefined
}

/** How far the clocks of a zone are ahead of UTC at a whole second, in milliseconds. */
const offsetAt = (moment: number, zone: string): number => wallTimeOf(moment, zone) - moment

/** Every moment at which the clocks of a zone show a time, in order: none, one or two. */
function momentsOf(wall: WallTime, zone: string): Date[] {
  // No zone is further from UTC than a day, and none changes twice within two.
  const offsets = [-DAY_MS, DAY_MS].map((away) => offsetAt(wall + away, zone))
  return [...new Set(offsets)]
    .map((offset) => wall - offset)
    .filter((moment) => wallTimeOf(moment, zone) === wall)
    .toSorted((a, b) => a - b)
    .map((moment) => new Date(moment))
}

/** Making one takes longer than using it. There are as many as zones that are named. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of a zone show at a moment, to the second, as if they showed UTC. */
export function wallTimeOf(moment: number, zone: string): WallTime {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(
    format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The last minute before the clocks are put forward, and the first after. */
function aroundGap(wall: WallTime, zone: string): [Date, Date] {
  const [early, late] = [-DAY_MS, DAY_MS].map((away) => offsetAt(wall + away, zone))
  // Between these two moments the offset changes.
  let [low, high] = [wall - (late ?? 0) - DAY_MS / 24, wall - (early ?? 0) + DAY_MS / 24]
  const before = offsetAt(low, zone)
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(middle, zone) === before) low = middle
    else high = middle
  }
  return [new Date(high - 60_000), new Date(high)]
}

function withOffset(
  text: string,
  wall: WallTime,
  offset: string,
  zone: string,
  moments: readonly Date[],
): ReadMoment {
  const at = new Date(wall - offsetMs(offset))
  if (moments.some((moment) => moment.getTime() === at.getTime())) return { at, zone }
  return {
    wrong: 'at',
    mistake: say('{text} is no time in {zone}, where it is {wall} then', {
      text,
      zone,
      wall: wallText(at, zone),
    }),
  }
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** The local time of a zone: `2027-01-12T09:00` */
export function wallText(at: Date, zone: string): string {
  return new Date(wallTimeOf(at.getTime(), zone)).toISOString().slice(0, 16)
}

/** `2026-10-25T02:30+01:00` */
function withOwnOffset(at: Date, zone: string): string {
  const minutes = Math.round(offsetAt(at.getTime(), zone) / 60_000)
  const two = (part: number) => String(part).padStart(2, '0')
  const away = Math.abs(minutes)
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
  return wallText(at, zone) + offset
}
