import { conversionOf, type SourceRow, type Traffic } from '../../audience/traffic.ts'
import { shareOf } from '../../shared/conversion.ts'
import type { NameKind, VisitCounts } from '../../store/visits.ts'
import { grouped, percent } from '../../terminal/words.ts'

const SHOWN = 12

/** @param signUps of each day. @returns rows for the terminal: visits of today and of all days. */
export function visitsInWords({ today, whole, days }: Traffic, signUps: readonly number[]) {
  if (total(whole) === 0) return [['Visits', 'none counted']]
  return [
    ['Visits today', visits(today, conversionOf(days.slice(-1), signUps.slice(-1)))],
    [`In ${days.length} days`, visits(whole, conversionOf(days, signUps))],
    [
      'Not people',
      `${grouped(whole.robot)} by robots, ${grouped(whole.prefetch)} by browsers that loaded the page ahead`,
    ],
  ]
}

function visits({ first, return: again }: VisitCounts, conversion: number | null): string {
  const share = conversion === null ? '' : `, ${percent(conversion)} signed up`
  return `${grouped(first)} first, ${grouped(again)} repeated${share}`
}

const total = (counts: VisitCounts) => Object.values(counts).reduce((sum, count) => sum + count)

/** @param signUps of all these days, and of today. @returns a table with a head; none without a name. */
export function sourcesInWords(
  { sources, whole, today }: Traffic,
  [signUps, signUpsToday]: readonly [number, number],
): string[][] {
  const led = sources.filter(({ kind }) => kind === 'source' || kind === 'host')
  const campaigns = sources.filter(({ kind }) => kind === 'campaign')
  if (led.length === 0 && campaigns.length === 0) return []
  const sum = (field: 'visits' | 'visitsToday' | 'signUps' | 'signUpsToday') =>
    led.reduce((sum, row) => sum + (row[field] ?? 0), 0)
  const named = led.filter(({ name }) => name !== null)
  // A sign-up may be counted with its source on a day whose visits are not.
  const rest = (all: number, field: Parameters<typeof sum>[0]) => Math.max(0, all - sum(field))
  const unsaid = {
    visits: rest(whole.first, 'visits'),
    signUps: rest(signUps, 'signUps'),
    visitsToday: rest(today.first, 'visitsToday'),
    signUpsToday: rest(signUpsToday, 'signUpsToday'),
  }
  return [
    ['Source', 'visits', 'sign-ups', '', 'visits today', 'sign-ups today'],
    ...named.slice(0, SHOWN).map(row),
    ...(named.length > SHOWN ? [[`${named.length - SHOWN} more: --json shows them`]] : []),
    ...led.filter(({ name }) => name === null).map(row),
    cells('direct', unsaid),
    ...campaigns.slice(0, SHOWN).map(row),
  ]
}

const said: Readonly<Record<NameKind, string>> = {
  source: '',
  host: ' (link)',
  medium: ' (medium)',
  campaign: ' (campaign)',
}

const row = ({ kind, name, ...counts }: SourceRow) =>
  cells(`${name ?? 'others'}${said[kind]}`, counts)

function cells(label: string, counts: Omit<SourceRow, 'kind' | 'name'>): string[] {
  const { visits, signUps, visitsToday, signUpsToday } = counts
  const share = signUps === null ? null : shareOf(signUps, visits)
  const shown = (count: number | null) => (count === null ? '–' : grouped(count))
  return [
    label,
    shown(visits),
    shown(signUps),
    share === null ? '' : percent(share),
    shown(visitsToday),
    shown(signUpsToday),
  ]
}
