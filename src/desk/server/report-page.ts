import type { FastifyInstance } from 'fastify'
import type { Feature, FeatureParts } from '../../features/feature.ts'
import type { Place } from '../../shared/desk-place.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Part, Report } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { placeAbove } from '../contract/places.ts'
import { type DeskParts, DeskProblem } from './parts.ts'

/** More rows of a table are not sent to a browser: names from outside may all differ. */
const MOST_ROWS = 200

/**
 * The page of a place that is a report, read seldom.
 *
 * @returns what lets it be read again at once, after a change.
 */
function reportPage(
  desk: FastifyInstance,
  { show }: DeskParts,
  place: Place,
  make: () => Promise<Report>,
): () => void {
  let read = readSeldom(make)
  desk.get(place.path, async (request, reply) => {
    const { title, parts } = await read()
    const report = { title, parts: parts.map(cut) }
    return show(request, reply, { page: 'report', above: placeAbove(place), report })
  })
  return () => {
    read = readSeldom(make)
  }
}

function cut(part: Part): Part {
  if (part.part !== 'table' || part.rows.length <= MOST_ROWS) return part
  const { rows, left = 0 } = part
  return { ...part, rows: rows.slice(0, MOST_ROWS), left: left + rows.length - MOST_ROWS }
}

/** What the work of a feature takes at the desk. */
export const featureParts = (
  { store, linkKey, dataDir, product, settings, root }: DeskParts,
  { rules }: Feature,
): FeatureParts => ({
  ...{ store, linkKey, dataDir, product, root, get: settings.get },
  isOn: settings.features[rules.name] ?? false,
})

/** The page of a feature: what it draws by itself, or its report. */
export function featurePage(desk: FastifyInstance, parts: DeskParts, feature: Feature): void {
  const { place, rules, isDrawn } = feature
  if (!place) return
  const { show } = parts
  const given = featureParts(parts, feature)
  if (isDrawn)
    desk.get(place.path, async (request, reply) => {
      const { shown } = await feature.load()
      const page = { page: 'feature', feature: rules.name, title: place.title } as const
      return show(request, reply, { ...page, shown: shown?.(given) ?? {} })
    })
  else actingPage(desk, parts, feature, place, given)
}

/** Its report, and what it does with what that shows. */
function actingPage(
  desk: FastifyInstance,
  parts: DeskParts,
  { load }: Feature,
  place: Place,
  given: FeatureParts,
): void {
  const { title } = place
  const make = async () => (await load()).report?.(given) ?? { title, parts: [] }
  const again = reportPage(desk, parts, place, make)
  desk.post(place.path, async (request, reply) => {
    const { acts = {} } = await load()
    const { act = '', ...data } = request.body as Readonly<Record<string, string>>
    const doIt = Object.hasOwn(acts, act) ? acts[act] : undefined
    if (!doIt)
      throw new DeskProblem(400, say('Nothing was changed'), say('The desk has no such act.'))
    await doIt(data, given).catch((cause: unknown) => {
      if (!(cause instanceof OperatorError)) throw cause
      throw new DeskProblem(400, say('Nothing was changed'), cause.message)
    })
    again()
    return reply.redirect(place.path, 303)
  })
}
