import { commandLine } from '../product/command-line.ts'
import { commands } from '../shared/commands.ts'
import { shareOf } from '../shared/conversion.ts'
import { counted, grouped, percent } from '../shared/counted.ts'
import { type Damage, damageInWords } from '../shared/damage.ts'
import { type HeardNothing, silenceInWords } from '../shared/heard-nothing.ts'
import { type HeldLetters, heldInWords } from '../shared/held-letters.ts'
import { type ManyRefused, manyRefusedInWords } from '../shared/many-refused.ts'
import { orUndefined } from '../shared/or-undefined.ts'
import type { AlarmKind, Notice, NoticeData } from '../store/notices.ts'
import words from './alarm-words.json' with { type: 'json' }
import { backupsInDay, ofBackups, ofRehearsal, when } from './backup-words.ts'
import type { People } from './place.ts'

/** A notice in words. */
export interface Words {
  readonly title: string
  /** Sentences of ours. */
  readonly lines: readonly string[]
  /** Text by others, such as names of sources: to be shown only as plain text. */
  readonly lists: readonly WordList[]
}

export interface WordList {
  readonly heading: string
  /** Text by others, and our figure beside it. */
  readonly items: readonly (readonly [theirs: string, ours: string])[]
  /** How many more there are. */
  readonly more?: number
}

/** @param product its name. */
export function inWords(notice: Notice, product: string, zone: string, people?: People): Words {
  const said = orUndefined(() => inOurWords(notice, product, zone, people)) ?? unread(product)
  if (!notice.data.isShortened) return said
  const why = 'What others wrote is left out, since the message did not arrive with it.'
  return { ...said, lines: [...said.lines, why] }
}

function inOurWords(notice: Notice, product: string, zone: string, people?: People): Words {
  const { type, data } = notice
  if (type === 'subscribers.reached') return milestone(data, product)
  if (type === 'day.ended') return day(data, product, zone, people)
  if (type === 'test')
    return {
      title: `${product}: a test`,
      lines: ['If you can read this, notices arrive here.'],
      lists: [],
    }
  if (!Object.hasOwn(what, String(data.alarm))) return unread(product)
  return alarm(type, data, product, zone)
}

/** Of one that cannot be read, so that the others arrive. */
const unread = (product: string): Words => ({
  title: `${product}: a notice of a later version`,
  lines: ['This version cannot read it.'],
  lists: [],
})

function milestone({ number }: NoticeData, product: string): Words {
  const reached = Number(number)
  const title =
    reached === 1 ? `${product}: the first sign-up` : `${product}: ${grouped(reached)} sign-ups`
  const line =
    reached === 1
      ? 'Somebody wants to be told when you open. The list has begun.'
      : `The list has reached ${grouped(reached)}.`
  return { title, lines: [line], lists: [] }
}

function day(data: NoticeData, product: string, zone: string, people: People | undefined): Words {
  const { from, to, signUps, subscribers, quarantined, visits } = data
  const [came, seen, robots] = [Number(signUps), Number(visits ?? 0), Number(quarantined)]
  const conversion = shareOf(came, seen)
  const share = conversion === null ? '' : `, ${percent(conversion)} of them signed up`
  const sources = Array.isArray(data.sources) ? (data.sources as [string, number][]) : []
  return {
    title: `${product}: ${counted(came, 'sign-up')} in a day`,
    lines: [
      `${when(from, zone)} to ${when(to, zone)}.`,
      `${grouped(Number(subscribers))} on the list so far, including those who left since.`,
      ...(visits === undefined ? [] : [`${counted(seen, 'first visit')}${share}.`]),
      ...(robots > 0 ? [`${grouped(robots)} more in quarantine, for signs of a robot.`] : []),
      ...ofSilence(data),
      ...backupsInDay(data, zone),
    ],
    lists: [
      ...(sources.length > 0
        ? [
            {
              heading: 'Where they came from',
              items: sources.map(([name, number]) => [String(name), grouped(number)] as const),
            },
          ]
        : []),
      ...(people && people.emails.length > 0
        ? [
            {
              heading: 'Who signed up',
              items: people.emails.map((email) => [email, ''] as const),
              more: people.more,
            },
          ]
        : []),
    ],
  }
}

function ofSilence({ heardNothing }: NoticeData): string[] {
  if (!heardNothing) return []
  const { people, since } = heardNothing as HeardNothing
  return [
    `${silenceInWords(people)}, the longest since ${String(since).slice(0, 10)}. To ask whether they still want to be told: ${commandLine(commands.askTheSilent)}`,
  ]
}

const what: Readonly<Record<AlarmKind, { readonly begins: string; readonly ends: string }>> =
  words.alarms

function alarm(type: Notice['type'], data: NoticeData, product: string, zone: string): Words {
  const kind = data.alarm as AlarmKind
  const { begins, ends } = (kind === 'backup' && ofRehearsal(data)) || what[kind]
  const isOver = type === 'alarm.ended'
  const goesOn = type === 'alarm.goes_on' ? ', for a day now' : ''
  const since = when(data.since, zone)
  const lasted = isOver ? `From ${since} to ${when(data.until, zone)}.` : `Since ${since}.`
  return {
    title: `${product}: ${isOver ? ends : `${begins}${goesOn}`}`,
    lines: [lasted, ...(isOver ? afterwards(kind) : advice(kind, data))],
    lists: isOver ? [] : answerOf(data),
  }
}

function advice(kind: AlarmKind, data: NoticeData): string[] {
  const { number, announcement, why } = data
  if (kind === 'store')
    return ['Nobody can sign up meanwhile, and the page says so. The log has the reason.']
  if (kind === 'backup') return ofBackups(data)
  if (kind === 'refusals') return (data.many as ManyRefused[]).map(manyRefusedInWords)
  if (kind === 'quarantine')
    return [
      `${grouped(Number(number))} sign-ups with signs of a robot within an hour. They get no letters.`,
      `To look at them: ${commandLine('quarantine')}`,
    ]
  if (kind === 'letters') return ofHeldLetters(data)
  if (kind === 'events') return ofEvents(data)
  if (kind === 'counts') return damageInWords(data as unknown as Damage)
  if (kind === 'retention')
    return [
      `${counted(Number(number), 'person is', 'people are')} still on the list. By retain in product.config.ts, it should be erased by now.`,
      `To count them, and then erase them: ${commandLine(commands.forgetEverybody)}`,
    ]
  return [
    `${endings[String(why)] ?? words.endings['too-many-failed']} Nobody is told twice when it goes on.`,
    ...soFar(data),
    `To see who has it: ${commandLine(`deliveries ${String(announcement)}`)}`,
  ]
}

/** The figures of an announcement that ended by itself. */
function soFar({ eligible, sent, queued }: NoticeData): string[] {
  if (typeof eligible !== 'number') return []
  return [
    `${grouped(Number(sent))} sent of ${grouped(eligible)} people, ${grouped(Number(queued))} queued.`,
  ]
}

function ofEvents({ people, held, failure }: NoticeData): string[] {
  const waiting = `Events of ${counted(Number(people), 'person', 'people')} wait`
  const some = Number(held) > 0 ? `, and those of ${grouped(Number(held))} are held` : ''
  return [
    `${waiting}${some}.${typeof failure === 'string' ? ` The receiver: ${failure}.` : ''}`,
    `To look at them: ${commandLine('events')}`,
  ]
}

function ofHeldLetters({ held }: NoticeData): string[] {
  return heldInWords(held as HeldLetters).map(
    ({ brake, text }) => `${text} To send them now: ${commandLine(`outbox --release ${brake}`)}`,
  )
}

/** How an announcement ended, for each `why`. */
const endings: Readonly<Record<string, string>> = words.endings

function afterwards(kind: AlarmKind): string[] {
  return kind === 'store'
    ? ['Visitors who tried to sign up meanwhile were asked to try again.']
    : []
}

function answerOf({ answer }: NoticeData): WordList[] {
  if (typeof answer !== 'string' || answer === '') return []
  return [{ heading: 'The mail server said', items: [[answer, '']] }]
}
