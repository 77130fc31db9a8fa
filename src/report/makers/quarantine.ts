import type { Act, Report, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'

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
  const misses = { code: 'none', text: say('Nobody who is quarantined fits these options.') }
  return {
    title: say('Quarantine'),
    parts: [
      {
        part: 'figures',
        figures: [
          {
            ...{ name: 'listed', label: say('Quarantined'), value: listed, isLead: true },
            remark: listed > 0 ? say('on the list, and not mailed') : '',
          },
          {
            ...{ name: 'toConfirm', label: say('To confirm'), value: toConfirm },
            remark: say('not on the list, until they confirm'),
          },
        ],
      },
      { part: 'notes', notes: isNarrowed && listed + toConfirm === 0 ? [misses] : [] },
      table('signs', say('Sign'), signs),
      table('domains', say('Domain'), domains),
      table('days', say('Day of sign-up'), days),
      // These mean everybody who is held, and so not those that were looked for.
      { part: 'acts', title: say('What you can do'), acts: isNarrowed ? [] : actsOn(counts) },
    ],
  }
}

function actsOn({ listed, toConfirm }: QuarantineCounts): Act[] {
  const act = (code: string, words: string) => ({ code, words, command: `quarantine --${code}` })
  const all = [act('list', say('List them')), act('erase', say('Forget them'))]
  // Only they themselves can confirm.
  if (listed > 0) all.splice(1, 0, act('release', say('Let those on the list be mailed')))
  return listed + toConfirm > 0 ? all : []
}

const table = (name: string, title: string, counts: Counts): Table => ({
  ...{ part: 'table', name, title, most: SHOWN },
  columns: [
    { name: 'name', kind: 'foreign' },
    { name: 'count', head: say('People') },
  ],
  rows: counts.map(([name, count]) => ({ name, count })),
})
