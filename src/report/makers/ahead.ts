import type { RunCount } from '../../announcement/outlook.ts'
import type { May } from '../../announcement/run/findings.ts'
import { grouped } from '../../shared/counted.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Figure, Note, Report } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import { findingNote, heldNote, type LetterSeen } from './finding.ts'

export interface AheadFound {
  readonly found: readonly Finding[]
  readonly may: May
  readonly seen: LetterSeen
  /** Left out for a test, which is not counted. */
  readonly count?: RunCount | undefined
  /** How many have a first name, and what the others read; left out where the letter says none. */
  readonly names?: { readonly people: number; readonly instead: readonly string[] } | undefined
}

/** What a run would do that began now, and what stands in its way. */
export function reportOfAhead({ found, may, seen, count, names }: AheadFound): Report {
  return {
    title: '',
    parts: [
      {
        part: 'notes',
        notes: [
          ...found.map((one) => findingNote(one, seen)),
          ...nameNotes(count, names),
          ...heldNote(found, may, seen),
        ],
      },
      {
        part: 'figures',
        figures: count ? countFigures(count) : [],
      },
    ],
  }
}

/** How many get it, and what becomes of the others. */
function countFigures(count: RunCount): Figure[] {
  const { toSend, toSendIn, letters, eligible, leftOut, done } = count
  const left = Object.values(leftOut).reduce((sum, people) => sum + people, 0)
  const all = toSendIn(() => 0) + letters
  const { sent, failed, uncertain } = done
  const of = { all: eligible, what: say('people') }
  return [
    { name: 'toSend', label: say('To send'), value: toSend, of, isLead: true, data: { eligible } },
    { name: 'leftOut', label: say('Left out'), value: left },
    { name: 'notInThisRun', label: say('Not in this run'), value: all - toSend },
    { name: 'sent', label: say('Sent before'), value: sent },
    { name: 'failed', label: say('Failed before'), value: failed },
    {
      name: 'uncertain',
      label: say('Uncertain'),
      value: uncertain,
      remark: say('they may have it'),
    },
    {
      ...{ name: 'forgotten', label: say('Forgotten') },
      value: eligible - left - all - sent - failed - uncertain,
    },
  ]
}

/** How many have a first name, where the letter says it. */
function nameNotes(count: RunCount | undefined, names: AheadFound['names']): Note[] {
  if (!names || !count?.toSend) return []
  const { people, instead } = names
  const others =
    people < count.toSend
      ? say('; the others read {words}', {
          words: instead.map((one) => `"${one}"`).join(say(' or ')),
        })
      : ''
  const text = say('{people} of {toSend} have a first name{others}.', {
    people: grouped(people),
    toSend: grouped(count.toSend),
    others,
  })
  return [{ code: 'first-names', text, data: { people } }]
}
