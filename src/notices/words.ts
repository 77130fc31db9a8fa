import { commandLine } from '../product/command-line.ts'
import { commands } from '../shared/commands.ts'
import { shareOf } from '../shared/conversion.ts'
import { counted, grouped, percent } from '../shared/counted.ts'
import { type HeardNothing, silenceInWords } from '../shared/heard-nothing.ts'
import { type HeldLetters, heldInWords } from '../shared/held-letters.ts'
import { type Damage, damageInWords } from '../shared/list-damage.ts'
import { type ManyRefused, manyRefusedInWords } from '../shared/many-refused.ts'
import { orUndefined } from '../shared/or-undefined.ts'
import { fill } from '../shared/sentence-slots.ts'
import { type Waiting, waitingFaults } from '../shared/waiting-too-long.ts'
import { lettersThatAsk } from '../store/letters-that-ask.ts'
import type { AlarmKind, Notice, NoticeData } from '../store/notices.ts'
import words from './alarm-words.json' with { type: 'json' }

/** A notice in words. */
export interface Words {
  readonly title: string
  /** Sentences of ours: nothing that a stranger wrote. */
  readonly lines: readonly string[]
}

/** @param product its name. */
export function inWords(notice: Notice, product: string): Words {
  // One that cannot be read does not keep the others from arriving.
  const said = orUndefined(() => inOurWords(notice)) ?? {
    title: 'a notice of a later version',
    lines: ['This version cannot read it.'],
  }
  return { ...said, title: `${product}: ${said.title}` }
}

function inOurWords({ type, data }: Notice): Words | undefined {
  if (type === 'subscribers.reached') return milestone(Number(data.number))
  if (type === 'day.ended') return day(data)
  if (type === 'test') return { title: 'a test', lines: words.test }
  return Object.hasOwn(advice, String(data.alarm)) ? alarm(type, data) : undefined
}

function milestone(reached: number): Words {
  if (reached > 1)
    return {
      title: `${grouped(reached)} sign-ups`,
      lines: [`The list has reached ${grouped(reached)}.`],
    }
  const line = 'Somebody wants to be told when you open. The list has begun.'
  return { title: 'the first sign-up', lines: [line] }
}

function day(data: NoticeData): Words {
  const { from, to, subscribers, visits } = data
  const [came, seen, robots] = [data.signUps, visits ?? 0, data.quarantined].map(Number) as [
    number,
    number,
    number,
  ]
  const conversion = shareOf(came, seen)
  const share = conversion === null ? '' : `, ${percent(conversion)} of them signed up`
  return {
    title: `${counted(came, 'sign-up')} in a day`,
    lines: [
      `${when(from)} to ${when(to)}.`,
      `${grouped(Number(subscribers))} on the list so far, including those who left since.`,
      ...(visits === undefined ? [] : [`${counted(seen, 'first visit')}${share}.`]),
      ...(robots > 0 ? [`${grouped(robots)} more in quarantine, for signs of a robot.`] : []),
      ...ofSilence(data),
      ...backupsInDay(data),
    ],
  }
}

const asking = lettersThatAsk.find(({ isToTheSilent }) => isToTheSilent)
const toAskThem = asking
  ? ` To ask whether they still want to be told: ${commandLine(`announce ${asking.option} letter.md`)}`
  : ''

function ofSilence({ heardNothing }: NoticeData): string[] {
  if (!heardNothing) return []
  const { people, since } = heardNothing as HeardNothing
  return [`${silenceInWords(people)}, the longest since ${String(since).slice(0, 10)}.${toAskThem}`]
}

/** Nothing where nobody looked at them. */
function backupsInDay({ backups }: NoticeData): string[] {
  if (typeof backups !== 'object' || backups === null) return []
  const { lastBackup, lastRehearsal, rehearsalFailed } = backups as NoticeData
  if (!lastBackup) return ['No back-up was ever made.']
  const failed = rehearsalFailed ? ` The last test failed: ${when(rehearsalFailed)}.` : ''
  const good = lastRehearsal
    ? `Last successful test of a back-up: ${when(lastRehearsal)}.`
    : 'No test of a back-up succeeded yet.'
  return [`Last back-up: ${when(lastBackup)}.`, `${good}${failed}`]
}

function alarm(type: Notice['type'], data: NoticeData): Words {
  const kind = data.alarm as AlarmKind
  const name = kind === 'backup' && Object.hasOwn(words.alarms, String(data.why)) ? data.why : kind
  const { begins, ends, says } = words.alarms[name as keyof typeof words.alarms]
  const since = when(data.since)
  if (type === 'alarm.ended')
    return {
      title: ends,
      lines: [
        `From ${since} to ${when(data.until)}.`,
        ...(kind === 'store' ? words.storeIsBack : []),
      ],
    }
  const { lines = [], values = {} } = advice[kind](data)
  return {
    title: type === 'alarm.goes_on' ? `${begins}, for a day now` : begins,
    lines: [`Since ${since}.`, ...lines, ...says.map((sentence) => fill(sentence, values))],
  }
}

interface Advice {
  /** What says more than the sentences that are always the same. */
  readonly lines?: readonly string[]
  /** What fills these. */
  readonly values?: Readonly<Record<string, string>>
}

const advice: Readonly<Record<AlarmKind, (data: NoticeData) => Advice>> = {
  store: () => ({}),

  backup({ last, hours, command }) {
    const age = `The last one is ${grouped(Number(hours))} hours old.`
    const lastBackup = last === null ? 'No back-up was ever made.' : age
    const options = String(command).includes('--to') ? ', with the same options as before' : ''
    return { values: { lastBackup, options, command: String(command) } }
  },

  quarantine: ({ number }) => ({
    values: { number: grouped(Number(number)), quarantine: commandLine('quarantine') },
  }),

  letters: ({ held }) => ({
    lines: heldInWords(held as HeldLetters).map(
      ({ brake, text }) => `${text} To send them now: ${commandLine(`outbox --release ${brake}`)}`,
    ),
  }),

  announcement({ announcement, why, eligible, sent, queued }) {
    const endings: Readonly<Record<string, string>> = words.endings
    const ending = endings[String(why)] ?? words.endings['too-many-failed']
    const soFar = `${grouped(Number(sent))} sent of ${grouped(Number(eligible))} people, ${grouped(Number(queued))} queued.`
    return {
      lines: [
        `${ending} Nobody is told twice when it goes on.`,
        ...(typeof eligible === 'number' ? [soFar] : []),
      ],
      values: { deliveries: commandLine(`deliveries ${String(announcement)}`) },
    }
  },

  events({ people, held, failure }) {
    const waiting = `Events of ${counted(Number(people), 'person', 'people')} wait`
    const some = Number(held) > 0 ? `, and those of ${grouped(Number(held))} are held` : ''
    const said = typeof failure === 'string' ? ` The receiver: ${failure}.` : ''
    return { lines: [`${waiting}${some}.${said}`], values: { events: commandLine('events') } }
  },

  retention: ({ number }) => ({
    values: {
      still: counted(Number(number), 'person is', 'people are'),
      forget: commandLine(commands.forgetEverybody),
    },
  }),

  refusals: ({ many }) => ({ lines: (many as ManyRefused[]).map(manyRefusedInWords) }),

  counts: (data) => ({ lines: damageInWords(data as unknown as Damage) }),

  waiting: (data) => ({ lines: waitingFaults(data as unknown as Waiting) }),
}

/** `22 November, 09:00 GMT+1`, in the time zone of this process. */
function when(time: unknown): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return format.format(new Date(String(time))).replace(' at ', ', ')
}
