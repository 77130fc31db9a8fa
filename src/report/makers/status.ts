import type { Progress } from '../../announcement/last-announcement.ts'
import type { ConfirmationCounts } from '../../audience/confirmation-counts.ts'
import type { Crowd } from '../../audience/crowds.ts'
import { signUpsIn } from '../../audience/growth.ts'
import { grouped } from '../../shared/counted.ts'
import type { Figure, InStatus, Note, Report, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import { shellWord } from '../../shared/shell-word.ts'
import { localTime } from '../../terminal/words.ts'
import { confirmationFigures, failuresTable } from './confirmations.ts'
import { type GrowthFound, growthParts, pageFigure } from './growth.ts'
import { announcementNote, saidAnyway } from './health.ts'

export interface StatusFound extends GrowthFound {
  readonly last: Progress | undefined
  readonly crowds: readonly Crowd[]
  readonly health: readonly Note[]
  /** Left out where nobody was asked to confirm. */
  readonly asked?: ConfirmationCounts | undefined
  /** Of the features that are on. */
  readonly features?: readonly InStatus[]
}

/** In days. */
export const WEEK = 7

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
      { part: 'notes', notes: [last, ...found.health, ...crowdNotes(found)] },
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

/** A warning for each suspicious group, with the command that shows it. */
function crowdNotes({ crowds, days }: StatusFound): Note[] {
  const day = localTime(days.at(-WEEK) ?? new Date()).slice(0, 10)
  return crowds.map(({ kind, name, count }) => {
    const which =
      kind === 'domain' ? `--matching ${shellWord(`*@${name}`)}` : `--mailbox ${shellWord(name)}`
    const what =
      kind === 'domain'
        ? say('have addresses at {name}', { name })
        : say('lead to one mailbox, {name}', { name })
    return {
      code: 'crowd',
      text: say(
        '{count} sign-ups of the last 7 days {what}. Robots may have typed these addresses, and some may be real.',
        { count: grouped(count), what },
      ),
      data: { kind, name, count },
      weight: 'look',
      act: { code: 'crowd', words: say('To see them'), command: `list --since ${day} ${which}` },
    }
  })
}
