import { rowsOf } from '../../announcement/balance.ts'
import type { Progress } from '../../announcement/last-announcement.ts'
import { isInterrupted, isRunning } from '../../announcement/run/dead-run.ts'
import type { FindingBy } from '../../checks/check.ts'
import type { healthChecks, heldLetters, slowHealthChecks } from '../../checks/health.ts'
import { counted, grouped, localized } from '../../shared/counted.ts'
import { silenceInWords } from '../../shared/heard-nothing.ts'
import { damageInWords } from '../../shared/list-damage.ts'
import { manyRefusedInWords } from '../../shared/many-refused.ts'
import type { Note } from '../../shared/report.ts'
import { say, translated } from '../../shared/say.ts'
import { fill } from '../../shared/sentence-slots.ts'
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
  const { label = '', text, act } = said[code]
  const weight = weights[verdict]
  return {
    ...{
      code,
      label: translated(label),
      data,
      ...(act && { act: { ...act, words: translated(act.words) } }),
    },
    text: fill(translated(text), { is: is?.(found) ?? '' }),
    ...(weight && { weight }),
    ...(at !== undefined && { at: new Date(at).toISOString() }),
  }
}

/** The same, also where all is well. */
export const saidAnyway = ({ weight, ...note }: Note): Note =>
  weight && weight !== 'good' ? { ...note, weight } : note

/** Where it could not be looked at. */
export const unseen = (code: HealthFound['code'], text: string): Note => ({
  ...{ code, label: translated(words[code].label), text, weight: 'look' },
})

/** What stands in the sentence of a finding. */
const texts: { readonly [C in HealthFound['code']]?: (found: FindingOf<C>) => string } = {
  'list-kept': ({ until }) => localTime(until).slice(0, 10),
  'list-overdue': ({ people }) => counted(people, 'person is', 'people are'),
  file: ({ bytes }) => size(bytes),
  disk: ({ bytes }) => size(bytes),
  'rehearsal-failed': ({ fault }) => fault,
  outbox: ({ waiting }) =>
    waiting === 0
      ? say('nothing waits')
      : say('{waiting} to be sent', { waiting: counted(waiting, 'confirmation letter') }),
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
  const fails =
    awaySince === undefined ? say('the last ones were not taken') : say('the receiver went away')
  return [
    people === 0
      ? say('nothing waits')
      : say('events of {people} wait', { people: counted(people, 'person', 'people') }),
    ...(held > 0
      ? [say('those of {held} are held', { held: counted(held, 'person', 'people') })]
      : []),
    ...(forgotten > 0
      ? [say('{forgotten} not acknowledged', { forgotten: counted(forgotten, 'erasure') })]
      : []),
    ...(isOn ? [] : [say('events are off')]),
    ...(dropped > 0
      ? [say('{dropped} cannot be read: dropped', { dropped: counted(dropped, 'event') })]
      : []),
    ...(notBefore
      ? [say('asked again {notBefore}', { notBefore: localTime(new Date(notBefore)) })]
      : []),
    ...(failing ? [`${fails} (${failure})`] : []),
  ].join(', ')
}

/** How far the last announcement got. It is under way while the process of its run lives. */
export function announcementNote(last: Progress | undefined): Note {
  const is = { code: 'announcement', label: say('Announcement') }
  if (!last) return { ...is, text: say('none yet') }
  const { id, tally, run } = last
  const data = { id, begunAt: last.begunAt, eligible: last.eligible, tally, rate: run?.notes.rate }
  const open = tally.queued + tally.sending
  // Until its turn, nobody knows whether somebody in the queue has left.
  const toTell = rowsOf(tally) - tally.suppressed - tally.forgotten
  const of = open === 0 ? say(' of {toTell}', { toTell: grouped(toTell) }) : ''
  const failed = tally.failed > 0 ? say(', {failed} failed', { failed: grouped(tally.failed) }) : ''
  const done = say('{id}: {sent}{of} sent{failed}', { id, sent: grouped(tally.sent), of, failed })
  if (open === 0) return { ...is, text: done, weight: tally.failed > 0 ? 'look' : 'good', data }
  if (isRunning(run))
    return {
      ...is,
      text: say('{done}, running', { done }),
      weight: 'good',
      data: { ...data, state: 'running' },
    }
  return {
    ...is,
    text: say('{done}, {open} still in the queue{end}', {
      done,
      open: grouped(open),
      end: run ? `. ${endInWords(run.notes, { announcement: last, tally })}` : '',
    }),
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
  return `${localized((bytes / GB).toFixed(bytes < 10 * GB ? 1 : 0))} GB`
}
