import { rowsOf } from '../../announcement/balance.ts'
import type { Progress } from '../../announcement/last-announcement.ts'
import { isInterrupted, isRunning } from '../../announcement/run/dead-run.ts'
import type { FindingBy } from '../../checks/check.ts'
import type { healthChecks, heldLetters, slowHealthChecks } from '../../checks/health.ts'
import { counted, grouped } from '../../shared/counted.ts'
import { damageInWords } from '../../shared/damage.ts'
import { silenceInWords } from '../../shared/heard-nothing.ts'
import { manyRefusedInWords } from '../../shared/many-refused.ts'
import type { Note } from '../../shared/report.ts'
import { fill } from '../../shared/slots.ts'
import type { Verdict } from '../../shared/verdict.ts'
import { localTime } from '../../terminal/words.ts'
import words from './health.json' with { type: 'json' }
import { endInWords } from './run.ts'

type HealthFound = FindingBy<
  (typeof healthChecks | typeof slowHealthChecks)[number] | typeof heldLetters
>

type FindingOf<C> = Extract<HealthFound, { readonly code: C }>

const GB = 1e9

const weights: Readonly<Partial<Record<Verdict, NonNullable<Note['weight']>>>> = {
  fine: 'good',
  problem: 'look',
  fatal: 'bad',
}

/** What a look at our health found, as it is told. */
export function healthNote(found: HealthFound): Note {
  const { code, verdict, at, ...data } = { at: undefined, ...found }
  const said: Readonly<Record<HealthFound['code'], Pick<Note, 'label' | 'text' | 'act'>>> = words
  const is = texts[code] as ((found: HealthFound) => string) | undefined
  const weight = weights[verdict]
  return {
    ...{ code, ...said[code], data },
    text: fill(said[code].text, { is: is?.(found) ?? '' }),
    ...(weight && { weight }),
    ...(at !== undefined && { at: new Date(at).toISOString() }),
  }
}

/** The same, also where all is well. */
export const saidAnyway = ({ weight, ...note }: Note): Note =>
  weight && weight !== 'good' ? { ...note, weight } : note

/** Where it could not be looked at. */
export const unseen = (code: HealthFound['code'], text: string): Note => ({
  ...{ code, label: words[code].label, text, weight: 'look' },
})

/** What stands in the sentence of a finding. */
const texts: { readonly [C in HealthFound['code']]?: (found: FindingOf<C>) => string } = {
  'list-kept': ({ until }) => localTime(until).slice(0, 10),
  'list-overdue': ({ people }) => counted(people, 'person is', 'people are'),
  file: ({ bytes }) => size(bytes),
  disk: ({ bytes }) => size(bytes),
  'rehearsal-failed': ({ fault }) => fault,
  outbox: ({ waiting }) =>
    waiting === 0 ? 'nothing waits' : `${counted(waiting, 'confirmation letter')} to be sent`,
  documents: ({ documents }) => counted(documents, 'document'),
  inbox: ({ alarm }) => alarm,
  counts: (damage) => damageInWords(damage).join(' '),
  events: eventsInWords,
  'events-held': eventsInWords,
  'letters-held': ({ text }) => text,
  refused: ({ many }) => manyRefusedInWords(many),
  silence: ({ people }) => silenceInWords(people),
}

function eventsInWords({
  feed: { isOn, awaySince, failing, failure, notBefore, dropped = 0 },
  people,
  held,
  forgotten,
}: FindingOf<'events' | 'events-held'>): string {
  const fails = awaySince === undefined ? 'the last ones were not taken' : 'the receiver went away'
  return [
    people === 0 ? 'nothing waits' : `events of ${counted(people, 'person', 'people')} wait`,
    ...(held > 0 ? [`those of ${counted(held, 'person', 'people')} are held`] : []),
    ...(forgotten > 0 ? [`${counted(forgotten, 'erasure')} not acknowledged`] : []),
    ...(isOn ? [] : ['events are off']),
    ...(dropped > 0 ? [`${counted(dropped, 'event')} cannot be read: dropped`] : []),
    ...(notBefore ? [`asked again ${localTime(new Date(notBefore))}`] : []),
    ...(failing ? [`${fails} (${failure})`] : []),
  ].join(', ')
}

/** How far the last announcement got. It is under way while the process of its run lives. */
export function announcementNote(last: Progress | undefined): Note {
  const is = { code: 'announcement', label: 'Announcement' }
  if (!last) return { ...is, text: 'none yet' }
  const { id, tally, run } = last
  const data = { id, begunAt: last.begunAt, eligible: last.eligible, tally, rate: run?.notes.rate }
  const open = tally.queued + tally.sending
  // Until its turn, nobody knows whether somebody in the queue has left.
  const toTell = rowsOf(tally) - tally.suppressed - tally.forgotten
  const of = open === 0 ? ` of ${grouped(toTell)}` : ''
  const failed = tally.failed > 0 ? `, ${grouped(tally.failed)} failed` : ''
  const done = `${id}: ${grouped(tally.sent)}${of} sent${failed}`
  if (open === 0) return { ...is, text: done, weight: tally.failed > 0 ? 'look' : 'good', data }
  if (isRunning(run))
    return { ...is, text: `${done}, running`, weight: 'good', data: { ...data, state: 'running' } }
  return {
    ...is,
    text: `${done}, ${grouped(open)} still in the queue${run ? `. ${endInWords(run.notes, { announcement: last, tally })}` : ''}`,
    weight: 'look',
    data: {
      ...data,
      state: isInterrupted(run) ? 'interrupted' : 'ended',
      why: run?.notes.end?.why,
    },
  }
}

/** `312 MB` */
function size(bytes: number): string {
  if (bytes < 999_500) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  if (bytes < 999_500_000) return `${Math.round(bytes / 1e6)} MB`
  return `${(bytes / GB).toFixed(bytes < 10 * GB ? 1 : 0)} GB`
}
