import type { FastifyInstance } from 'fastify'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Part, Report } from '../../shared/report.ts'
import type { ReportPage } from '../contract/pages.ts'
import type { DeskParts } from './parts.ts'

/** More rows of a table are not sent to a browser: names from outside may all differ. */
const MOST_ROWS = 200

/**
 * A page that is a report, read seldom. @param back the page above: its name and its path.
 *
 * @returns what lets it be read again at once, after a change.
 */
export function reportPage(
  desk: FastifyInstance,
  { show }: DeskParts,
  path: string,
  back: ReportPage['back'],
  make: () => Promise<Report>,
): () => void {
  let report = readSeldom(make)
  desk.get(path, async (request, reply) => {
    const { title, parts } = await report()
    return show(request, reply, { page: 'report', report: { title, parts: parts.map(cut) }, back })
  })
  return () => {
    report = readSeldom(make)
  }
}

function cut(part: Part): Part {
  if (part.part !== 'table' || part.rows.length <= MOST_ROWS) return part
  const { rows, left = 0 } = part
  return { ...part, rows: rows.slice(0, MOST_ROWS), left: left + rows.length - MOST_ROWS }
}
