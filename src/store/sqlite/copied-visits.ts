import {
  type CountedHour,
  MOST_NAMES,
  type NameCount,
  noVisits,
  type VisitKind,
} from '../visits.ts'
import { nameCountIn, visitIn } from './copied-rows.ts'
import type { Restoring } from './copy.ts'
import { otherKind } from './visits.ts'

/** A batch has at most this many hours, or hours with this many names. */
const HOURS_AT_ONCE = 100
const NAMES_AT_ONCE = 5000

/** The commonest names; a list of ours has no more. */
const copiedNames = `
  SELECT visitsByName.*, coalesce(kind, ${otherKind}) AS kind, name
  FROM visitsByName
  LEFT JOIN (SELECT * FROM visitNames ORDER BY weight DESC, id LIMIT ${MOST_NAMES}) ON id = nameId`

interface Hour extends CountedHour {
  readonly counts: Record<VisitKind, number>
  readonly names: NameCount[]
}

/** Restores the counts of visits. */
export async function restoreVisits({ store, copy, asOf, seen }: Restoring) {
  const hours = new Map<number, Hour>()
  const at = (hour: Date): Hour => {
    const known = hours.get(hour.getTime()) ?? { hour, counts: noVisits(), names: [] }
    hours.set(hour.getTime(), known)
    return known
  }
  let refused = 0
  for (const row of copy.prepare('SELECT * FROM visits').iterate()) {
    const visit = visitIn(row, asOf)
    if (visit) at(visit.hour).counts[visit.kind] = visit.number
    else refused += 1
  }
  for (const row of copy.prepare(copiedNames).iterate()) {
    const found = nameCountIn(row, asOf)
    if (found) at(found.hour).names.push(found.count)
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
