import type { FastifyInstance } from 'fastify'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Part, Report } from '../../shared/report.ts'
import { type PlaceName, placeAbove, places } from '../contract/places.ts'
import type { DeskParts } from './parts.ts'

/** More rows of a table are not sent to a browser: names from outside may all differ. */
const MOST_ROWS = 200

/**
 * The page of a place that is a report, read seldom.
 *
 * @returns what lets it be read again at once, after a change.
 */
export function reportPage(
  desk: FastifyInstance,
  { show }: DeskParts,
  place: PlaceName,
  make: () => Promise<Report>,
): () => void {
  let read = readSeldom(make)
  desk.get(places[place].path, async (request, reply) => {
    const { title, parts } = await read()
    const report = { title, parts: parts.map(cut) }
    return show(request, reply, { page: 'report', above: placeAbove(place), report })
  })
  return () => {
    read = readSeldom(make)
  }
}

/** The same of a place where nothing is done. @param make what is told there. */
export const report =
  (place: PlaceName, make: (parts: DeskParts) => Promise<Report>) =>
  (desk: FastifyInstance, parts: DeskParts): void =>
    void reportPage(desk, parts, place, () => make(parts))

function cut(part: Part): Part {
  if (part.part !== 'table' || part.rows.length <= MOST_ROWS) return part
  const { rows, left = 0 } = part
  return { ...part, rows: rows.slice(0, MOST_ROWS), left: left + rows.length - MOST_ROWS }
}
