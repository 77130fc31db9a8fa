import { type HourOfVisits, MOST_NAMES, type NameCount, noVisits } from '../visits.ts'
import { nameCountIn, visitsIn } from './copied-rows.ts'
import type { Restoring } from './copy.ts'
import { idIn, kindIn, numbersIn } from './visits.ts'

/** A batch has at most this many hours, or hours with this many names. */
const HOURS_AT_ONCE = 100
const NAMES_AT_ONCE = 5000

interface Hour extends HourOfVisits {
  readonly names: NameCount[]
}

/** Restores the counts of visits. */
export async function restoreVisits({ store, copy, asOf, seen }: Restoring) {
  const hours = new Map<number, Hour>()
  const keep = (one: HourOfVisits): Hour => {
    const kept = hours.get(one.hour.getTime()) ?? { ...one, names: [] }
    hours.set(one.hour.getTime(), kept)
    return kept
  }
  let refused = 0
  for (const row of copy.prepare('SELECT * FROM visits').iterate()) {
    const found = visitsIn(row, asOf)
    if (found) keep(found)
    else refused += 1
  }
  const names = new Map(
    copy
      .prepare(`SELECT id, name FROM visitNames ORDER BY weight DESC, id LIMIT ${MOST_NAMES}`)
      .all()
      .map(({ id, name }) => [id, name]),
  )
  for (const { hour, numbers } of copy.prepare('SELECT * FROM visitsByName').iterate())
    for (const [key, number] of numbersIn(numbers)) {
      const name = names.get(idIn(key)) ?? null
      const found = nameCountIn({ hour, kind: kindIn(key), name, number }, asOf)
      if (found) keep({ hour: found.hour, counts: noVisits() }).names.push(found.count)
      else refused += 1
    }
  seen(refused)
  for (const some of together(hours.values())) {
    await store.restore.visits(some)
    seen(some.reduce((sum, { names }) => sum + 1 + names.length, 0))
  }
  return { refused }
}

function* together(hours: Iterable<Hour>): Iterable<Hour[]> {
  let [some, names]: [Hour[], number] = [[], 0]
  for (const one of hours) {
    some.push(one)
    names += one.names.length
    if (some.length < HOURS_AT_ONCE && names < NAMES_AT_ONCE) continue
    yield some
    ;[some, names] = [[], 0]
  }
  if (some.length > 0) yield some
}
