import { signUpsIn } from '../../audience/growth.ts'
import {
  conversionOf,
  type SourceCounts,
  sourceCounts,
  type Traffic,
} from '../../audience/traffic.ts'
import { openingAsJson, openingInWords } from '../../opening/read-opening.ts'
import { grouped } from '../../shared/counted.ts'
import places from '../../shared/places.json' with { type: 'json' }
import type { Product } from '../../shared/product.ts'
import type { Acts, Figure, Figures, Part, Table } from '../../shared/report.ts'
import { say, translated } from '../../shared/say.ts'
import type { Opening } from '../../store/opening.ts'
import type { Growth } from '../../store/subscriber-list.ts'
import type { VisitCounts } from '../../store/visits.ts'
import { goneInWords } from '../../terminal/standing-words.ts'

export interface GrowthFound {
  readonly product: Pick<Product, 'name' | 'opensAt'>
  readonly now: Date
  readonly growth: Growth
  /** When each day begins; the last is today. */
  readonly days: readonly Date[]
  /** Of these days. */
  readonly traffic: Traffic
  readonly opening: Opening | undefined
}

/** In days. */
const WEEK = 7
const MOST_SOURCES = 12

/** How many there are, how fast they come and from where, as `status` and the desk's first page say it. */
export function growthParts(found: GrowthFound): Part[] {
  const { growth, days, traffic } = found
  const byDay = signUpsIn(growth.quarters, days)
  const sources = sourceCounts(traffic, byDay)
  const inDays = say('{days} days', { days: days.length })
  const isCampaign = ({ kind }: SourceCounts) => kind === 'campaign'
  return [
    peopleFigures(found),
    signUpFigures(byDay),
    visitFigures(traffic),
    conversionFigures(traffic, byDay),
    sourcesTable(
      'sources',
      `${say('Source')}, ${inDays}`,
      sources.filter((one) => !isCampaign(one)),
      placeNames,
    ),
    sourcesTable('campaigns', `${say('Campaign')}, ${inDays}`, sources.filter(isCampaign)),
    firstSteps(found),
  ]
}

const figures = (...some: readonly Figure[]): Figures => ({ part: 'figures', figures: some })

/** Which page visitors see. */
export const pageFigure = ({ opening, now, product }: GrowthFound): Figure => ({
  ...{ name: 'page', label: say('Page'), kind: 'text' },
  value: openingInWords(opening, now, product),
  data: { opening: openingAsJson(opening, now) },
})

function peopleFigures({ product, growth }: GrowthFound) {
  // Of the forgotten there is no row to count. The quarantined are not gone, nor those who took their yes back.
  const { forgotten: _, ...standings } = growth.standings
  const { subscribed, quarantined, pending, unsubscribed, bounced, complained } = standings
  return figures(
    {
      ...{
        name: 'subscribers',
        label: say('Subscribers of {name}', { name: product.name }),
        value: subscribed,
      },
      ...{ isLead: true, data: { standings } },
    },
    {
      ...{ name: 'everConfirmed', label: say('Ever confirmed') },
      value: growth.confirmed,
    },
    {
      ...{ name: 'toConfirm', label: say('Not confirmed'), value: growth.toConfirm },
      remark: say('were asked, and are not on the list'),
    },
    {
      ...{ name: 'pending', label: say('Said “not me”'), value: pending },
      remark: say('on the list, and not mailed'),
    },
    {
      ...{ name: 'gone', label: say('Gone'), value: unsubscribed + bounced + complained },
      remark: goneInWords({ ...growth.standings, quarantined: 0, pending: 0 }),
    },
    {
      ...{ name: 'quarantined', label: say('Quarantined'), value: quarantined },
      remark: say('for signs of a robot'),
      act: { code: 'quarantine', words: say('Who'), command: 'quarantine' },
    },
    {
      ...{ name: 'imported', label: say('Imported'), value: growth.imported },
      remark: say('only by an import, including those who left since; not in the figures by day'),
    },
  )
}

function signUpFigures(byDay: readonly number[]) {
  return figures(
    { name: 'today', label: say('Today'), value: byDay.at(-1) ?? 0 },
    {
      ...{ name: 'week', label: say('In {days} days', { days: WEEK }) },
      value: byDay.slice(-WEEK).reduce((sum, count) => sum + count, 0),
    },
  )
}

function visitFigures({ today, whole, days }: Traffic) {
  const beside = ({ robot }: VisitCounts) =>
    robot > 0 ? say('and {robot} by robots', { robot: grouped(robot) }) : ''
  return figures(
    {
      ...{
        name: 'visitsToday',
        label: say('Visits today'),
        value: today.first,
        remark: beside(today),
      },
      data: { repeatedToday: today.return, robotsToday: today.robot },
    },
    {
      ...{
        name: 'visits',
        label: say('In {days} days', { days: days.length }),
        value: whole.first,
      },
      remark: beside(whole),
      data: { repeated: whole.return, robots: whole.robot, prefetched: whole.prefetch },
    },
  )
}

/** Sign-ups to a hundred visits. */
function conversionFigures({ days }: Traffic, byDay: readonly number[]) {
  return figures(
    {
      ...{ name: 'conversionToday', label: say('Conversion'), kind: 'percent' },
      value: conversionOf(days.slice(-1), byDay.slice(-1)),
    },
    {
      ...{
        name: 'conversion',
        label: say('In {days} days', { days: days.length }),
        kind: 'percent',
      },
      value: conversionOf(days, byDay),
    },
  )
}

const placeNames = Object.fromEntries(Object.entries(places).map(([name, word]) => [word, name]))

/** Who brought the most first. */
const sourcesTable = (
  name: string,
  title: string,
  rows: readonly SourceCounts[],
  words: Readonly<Record<string, string>> = {},
): Table => ({
  ...{ part: 'table', name, title, most: MOST_SOURCES },
  columns: [
    { name: 'name', kind: 'foreign', words },
    { name: 'visits', head: say('Visits') },
    { name: 'signUps', head: say('Sign-ups'), without: '–', of: 'visits' },
    { name: 'visitsToday', head: say('Visits today'), isDetail: true },
    { name: 'signUpsToday', head: say('Sign-ups today'), without: '–', isDetail: true },
  ],
  rows: rows
    .toSorted((a, b) => (b.signUps ?? -1) - (a.signUps ?? -1) || b.visits - a.visits)
    .map((row) => ({ ...row, name: translated(unnamed[row.kind] ?? row.name) })),
})

/** Of sources that have no name. */
const unnamed: Readonly<Record<string, string>> = { none: 'direct', rest: 'others' }

/** Before the first visitor. */
function firstSteps({ growth, traffic }: GrowthFound): Acts {
  const { first, return: again } = traffic.whole
  const { standings, toConfirm } = growth
  const counts = [first, again, toConfirm, ...Object.values(standings)]
  const acts = [
    {
      ...{ code: 'back-up', words: say('Have the list copied every night') },
      command: 'backup --keep 7,4,12 --to FOLDER',
      remark: say("A line for the machine's timer (cron), with a folder of yours."),
    },
    {
      ...{ code: 'desk', words: say('Watch it on a phone'), command: 'desk' },
      remark: say('The first page of the desk shows a sign-up within a second.'),
    },
  ]
  const isAnybodyHere = counts.some((count) => count > 0)
  return { part: 'acts', title: say('Before the first visitor'), acts: isAnybodyHere ? [] : acts }
}
