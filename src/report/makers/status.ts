import type { Progress } from '../../announcement/last-announcement.ts'
import type { AnswerCounts } from '../../audience/answers.ts'
import type { ConfirmationCounts } from '../../audience/confirmation-counts.ts'
import type { Crowd } from '../../audience/crowds.ts'
import { conversionOf, sourceCounts, type Traffic } from '../../audience/traffic.ts'
import type { WhoCame } from '../../audience/who-came.ts'
import { openingAsJson, openingInWords } from '../../opening/read-opening.ts'
import { grouped, percent } from '../../shared/counted.ts'
import type { Figure, Note, Report, Table } from '../../shared/report.ts'
import { shellWord } from '../../shared/shell-word.ts'
import type { Opening } from '../../store/opening.ts'
import type { StandingCounts } from '../../store/subscriber-list.ts'
import type { VisitCounts } from '../../store/visits.ts'
import { goneInWords } from '../../terminal/standing-words.ts'
import { localTime } from '../../terminal/words.ts'
import { answersFigure, answersTable } from './answers.ts'
import { cameFigure } from './came.ts'
import { confirmationFigures, failuresTable } from './confirmations.ts'
import { announcementNote } from './health.ts'

export interface StatusFound {
  /** Of the product. */
  readonly name: string
  readonly now: Date
  readonly standings: StandingCounts
  readonly imported: number
  /** When each day begins; the last is today. */
  readonly days: readonly Date[]
  /** Sign-ups of each day. */
  readonly byDay: readonly number[]
  readonly traffic: Traffic
  readonly last: Progress | undefined
  readonly opening: Opening | undefined
  readonly crowds: readonly Crowd[]
  readonly health: readonly Note[]
  /** Who became a user; left out before anybody was told. */
  readonly users?: Pick<WhoCame, 'told' | 'came' | 'medianMs'> | undefined
  /** Left out where nobody was asked to confirm. */
  readonly asked?: ConfirmationCounts | undefined
  /** Of the features that are on. */
  readonly features?: readonly Figure[]
  /** To the question of the page; left out where it asks nothing. */
  readonly answers?: AnswerCounts | undefined
}

/** In days. */
export const WEEK = 7
/** How many answers, and how many sources, are shown at first. */
const [MOST_ANSWERS, MOST_SOURCES] = [5, 12]

/** How the list grows, where visitors come from, how far the last announcement got, and what to look at. */
export function reportOfStatus(found: StatusFound): Report {
  const { name, asked, features = [], answers, traffic, byDay } = found
  return {
    title: name,
    parts: [
      { part: 'figures', figures: peopleFigures(found) },
      { part: 'figures', figures: confirmationFigures(asked) },
      failuresTable(asked),
      { part: 'figures', figures: features },
      { part: 'figures', figures: visitFigures(traffic, byDay) },
      sourcesTable(traffic, byDay),
      ...(answers ? [{ ...answersTable(answers), most: MOST_ANSWERS }] : []),
      daysTable(found),
      { part: 'figures', figures: stateFigures(found) },
      { part: 'notes', notes: [lastNote(found), ...found.health, ...crowdNotes(found)] },
    ],
  }
}

function peopleFigures({ name, standings, asked, imported, byDay }: StatusFound): Figure[] {
  // Of the forgotten there is no row to count. The quarantined are not gone, nor those who took their yes back.
  const { forgotten: _, ...counts } = standings
  const { subscribed, quarantined, pending, unsubscribed, bounced, complained } = counts
  const withSigns = asked?.withSigns ?? 0
  return [
    {
      ...{ name: 'subscribers', label: `Subscribers of ${name}`, value: subscribed, isLead: true },
      data: { standings: counts },
    },
    {
      ...{ name: 'pending', label: 'Not them', value: pending },
      remark: 'said that it was not them: on the list, and not mailed',
    },
    {
      ...{ name: 'gone', label: 'Gone', value: unsubscribed + bounced + complained },
      remark: goneInWords({ ...standings, quarantined: 0, pending: 0 }),
    },
    {
      ...{ name: 'quarantined', label: 'Quarantined', value: quarantined + withSigns },
      remark:
        withSigns > 0
          ? `for signs of a robot; ${grouped(withSigns)} of them unconfirmed, and not on the list`
          : 'for signs of a robot',
      data: { withSigns },
      act: { code: 'quarantine', words: 'Who', command: 'quarantine' },
    },
    {
      ...{ name: 'imported', label: 'Imported', value: imported },
      remark: 'only by an import, including those who left since; not in the figures by day below',
    },
    { name: 'today', label: 'Today', value: byDay.at(-1) ?? 0 },
    {
      ...{ name: 'week', label: 'Last 7 days' },
      value: byDay.slice(-WEEK).reduce((sum, count) => sum + count, 0),
    },
  ]
}

function visitFigures({ today, whole, days }: Traffic, byDay: readonly number[]): Figure[] {
  const beside = ({ return: again }: VisitCounts, conversion: number | null) =>
    [
      `${grouped(again)} repeated`,
      ...(conversion === null ? [] : [`${percent(conversion)} signed up`]),
    ].join(', ')
  return [
    {
      ...{ name: 'visitsToday', label: 'Visits today', value: today.first },
      remark: beside(today, conversionOf(days.slice(-1), byDay.slice(-1))),
      data: { repeatedToday: today.return },
    },
    {
      ...{ name: 'visits', label: `In ${days.length} days`, value: whole.first },
      remark: beside(whole, conversionOf(days, byDay)),
      data: { repeated: whole.return, prefetched: whole.prefetch },
    },
    {
      ...{ name: 'robots', label: 'By robots', value: whole.robot },
      remark: `and ${grouped(whole.prefetch)} by browsers that loaded the page ahead`,
    },
  ]
}

const kinds = {
  source: '',
  host: 'link',
  medium: 'medium',
  campaign: 'campaign',
  rest: '',
  none: '',
}

/** Of sources that have no name. */
const unnamed: Readonly<Record<string, string>> = { none: 'direct', rest: 'others' }

const sourcesTable = (traffic: Traffic, byDay: readonly number[]): Table => ({
  part: 'table',
  name: 'sources',
  title: 'Source',
  columns: [
    { name: 'name', kind: 'foreign' },
    { name: 'kind', kind: 'text', words: kinds },
    { name: 'visits', head: 'Visits' },
    { name: 'signUps', head: 'Sign-ups', without: '–', of: 'visits' },
    { name: 'visitsToday', head: 'Visits today', isDetail: true },
    { name: 'signUpsToday', head: 'Sign-ups today', without: '–', isDetail: true },
  ],
  rows: sourceCounts(traffic, byDay).map((row) => ({
    ...row,
    name: unnamed[row.kind] ?? row.name,
  })),
  most: MOST_SOURCES,
})

const daysTable = ({ days, byDay, traffic }: StatusFound): Table => ({
  part: 'table',
  name: 'days',
  title: `Sign-ups a day, last ${days.length} days`,
  columns: [
    { name: 'day', kind: 'text' },
    { name: 'signUps', head: 'Sign-ups' },
    { name: 'visits', head: 'Visits' },
  ],
  rows: days.map((day, i) => ({
    day: localTime(day).slice(0, 10),
    signUps: byDay[i] ?? 0,
    visits: traffic.days[i]?.first ?? 0,
  })),
  most: days.length,
  chart: 'signUps',
})

function stateFigures({ opening, now, users, answers }: StatusFound): Figure[] {
  return [
    {
      ...{ name: 'page', label: 'Page', kind: 'text', value: openingInWords(opening, now) },
      data: { opening: openingAsJson(opening, now) },
    },
    ...(users
      ? [{ ...cameFigure(users), act: { code: 'came', words: 'Who', command: 'came' } }]
      : []),
    ...(answers
      ? [
          {
            ...answersFigure(answers),
            act: { code: 'answers', words: 'All', command: 'answers' },
          },
        ]
      : []),
  ]
}

/** The last announcement is told also where all is well. */
function lastNote({ last }: StatusFound): Note {
  const { weight, ...note } = announcementNote(last)
  return weight === 'look' ? { ...note, weight } : note
}

/** A warning for each suspicious group, with the command that shows it. */
function crowdNotes({ crowds, days }: StatusFound): Note[] {
  const day = localTime(days.at(-WEEK) ?? new Date()).slice(0, 10)
  return crowds.map(({ kind, name, count }) => {
    const which =
      kind === 'domain' ? `--matching ${shellWord(`*@${name}`)}` : `--mailbox ${shellWord(name)}`
    const what = kind === 'domain' ? `have addresses at ${name}` : `lead to one mailbox, ${name}`
    return {
      code: 'crowd',
      text: `${grouped(count)} sign-ups of the last 7 days ${what}. Robots may have typed these addresses, and some may be real.`,
      data: { kind, name, count },
      weight: 'look',
      act: { code: 'crowd', words: 'To see them', command: `list --since ${day} ${which}` },
    }
  })
}
