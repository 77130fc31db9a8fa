import type { Act, Report, Table } from '../../shared/report.ts'

/** How many rows of a table are shown at first. */
const SHOWN = 10

type Counts = readonly (readonly [name: string, count: number])[]

export interface QuarantineCounts {
  /** On the list. */
  readonly listed: number
  /** Asked, and not on the list. */
  readonly toConfirm: number
  readonly signs: Counts
  readonly domains: Counts
  /** The newest first. */
  readonly days: Counts
}

/** How many are held for signs of a robot, why, where and since when. @param isNarrowed whether only some were looked for. */
export function reportOfQuarantine(counts: QuarantineCounts, isNarrowed: boolean): Report {
  const { listed, toConfirm, signs, domains, days } = counts
  const misses = { code: 'none', text: 'Nobody who is quarantined fits these options.' }
  return {
    title: 'Quarantine',
    parts: [
      {
        part: 'figures',
        figures: [
          {
            ...{ name: 'listed', label: 'Quarantined', value: listed, isLead: true },
            remark: listed > 0 ? 'on the list, and not mailed' : '',
          },
          {
            ...{ name: 'toConfirm', label: 'To confirm', value: toConfirm },
            remark: 'not on the list, until they confirm',
          },
        ],
      },
      { part: 'notes', notes: isNarrowed && listed + toConfirm === 0 ? [misses] : [] },
      table('signs', 'Sign', signs),
      table('domains', 'Domain', domains),
      table('days', 'Day of sign-up', days),
      // These mean everybody who is held, and so not those that were looked for.
      { part: 'acts', title: 'What you can do', acts: isNarrowed ? [] : actsOn(counts) },
    ],
  }
}

function actsOn({ listed, toConfirm }: QuarantineCounts): Act[] {
  const act = (code: string, words: string) => ({ code, words, command: `quarantine --${code}` })
  const all = [act('list', 'List them'), act('erase', 'Forget them')]
  // Only they themselves can confirm.
  if (listed > 0) all.splice(1, 0, act('release', 'Let those on the list be mailed'))
  return listed + toConfirm > 0 ? all : []
}

const table = (name: string, title: string, counts: Counts): Table => ({
  ...{ part: 'table', name, title, most: SHOWN },
  columns: [
    { name: 'name', kind: 'foreign' },
    { name: 'count', head: 'People' },
  ],
  rows: counts.map(([name, count]) => ({ name, count })),
})
