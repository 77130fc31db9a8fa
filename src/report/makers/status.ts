import type { Progress } from '../../announcement/last-announcement.ts'
import type { ConfirmationCounts } from '../../audience/confirmation-counts.ts'
import { signUpsIn } from '../../audience/growth.ts'
import type { Figure, InStatus, Note, Report, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import { localTime } from '../../terminal/words.ts'
import { confirmationFigures, failuresTable } from './confirmations.ts'
import { type GrowthFound, growthParts, pageFigure } from './growth.ts'
import { announcementNote, saidAnyway } from './health.ts'

export interface StatusFound extends GrowthFound {
  readonly last: Progress | undefined
  readonly health: readonly Note[]
  /** Left out where nobody was asked to confirm. */
  readonly asked?: ConfirmationCounts | undefined
  /** Of the features that are on. */
  readonly features?: readonly InStatus[]
}

/** How the list grows, where visitors come from, how far the last announcement got, and what to look at. */
export function reportOfStatus(found: StatusFound): Report {
  const { product, asked, features = [] } = found
  const last = saidAnyway(announcementNote(found.last))
  return {
    title: product.name,
    parts: [
      ...growthParts(found),
      { part: 'figures', figures: confirmationFigures(asked) },
      failuresTable(asked),
      { part: 'figures', figures: features.flatMap(({ figures = [] }) => figures) },
      ...features.flatMap(({ table }) => table ?? []),
      daysTable(found),
      { part: 'figures', figures: stateFigures(found) },
      { part: 'notes', notes: [last, ...found.health] },
    ],
  }
}

function daysTable({ growth, days, traffic }: StatusFound): Table {
  const byDay = signUpsIn(growth.quarters, days)
  return {
    part: 'table',
    name: 'days',
    title: say('Sign-ups a day, last {days} days', { days: days.length }),
    columns: [
      { name: 'day', kind: 'text' },
      { name: 'signUps', head: say('Sign-ups') },
      { name: 'visits', head: say('Visits') },
    ],
    rows: days.map((day, i) => ({
      day: localTime(day).slice(0, 10),
      signUps: byDay[i] ?? 0,
      visits: traffic.days[i]?.first ?? 0,
    })),
    most: days.length,
    chart: 'signUps',
  }
}

function stateFigures(found: StatusFound): Figure[] {
  const { features = [] } = found
  return [pageFigure(found), ...features.flatMap(({ states = [] }) => states)]
}
