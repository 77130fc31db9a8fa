import { rowsOf } from '../../announcement/balance.ts'
import { lastAnnouncement } from '../../announcement/last-announcement.ts'
import { isRunning, stoppedInWords } from '../../announcement/run/dead-run.ts'
import { type FoundBy, look } from '../../checks/check.ts'
import {
  type HealthParts as CheckedParts,
  healthChecks,
  slowHealthChecks,
} from '../../checks/health.ts'
import { probeMailServer } from '../../checks/mail.ts'
import type { Verdict } from '../../shared/finding.ts'
import { silenceInWords } from '../../shared/heard-nothing.ts'
import { manyRefusedInWords } from '../../shared/many-refused.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import { fill } from '../../shared/slots.ts'
import { counted, grouped } from '../../terminal/words.ts'
import { peopleToTell } from '../contract/letters.ts'
import type { HealthLight } from '../contract/today.ts'
import words from './health.json' with { type: 'json' }
import type { DeskParts } from './parts.ts'

export type HealthParts = Pick<
  DeskParts,
  'store' | 'place' | 'backups' | 'collecting' | 'dataDir' | 'product'
> & { readonly settings: Pick<DeskParts['settings'], 'confirm' | 'smtpUrl'> }

type HealthFound = FoundBy<(typeof healthChecks | typeof slowHealthChecks)[number]>

const GB = 1e9
const LOOK_EVERY_MS = 15_000
/** For what takes a reading of the whole list. A letter ends the silence at once. */
const COUNT_LIST_EVERY_MS = 5 * 60_000
const ASK_MAIL_EVERY_MS = 60_000

/** Whether all that the page and its letters need is in order, as far as it can be known from here. */
export function healthOf(parts: HealthParts): () => Promise<HealthLight[]> {
  const on = { ...parts, isAsking: parts.settings.confirm }
  const mail = mailLight(parts.settings)
  const silence = silenceLight(on)
  const refused = readSeldom(() => look(slowHealthChecks, on, ['refused']), COUNT_LIST_EVERY_MS)
  const others = readSeldom(async () => {
    const [found, announcement, many] = await Promise.all([
      look(healthChecks, on),
      announcementLight(parts),
      refused(),
    ])
    return [...found.map(lightOf), announcement, ...many.map(lightOf)]
  }, LOOK_EVERY_MS)
  // Read last, since the mail server may have answered meanwhile, and the list been counted.
  return async () => [...(await others()), ...silence(), ...mail()]
}

const tones: Readonly<Record<Verdict, HealthLight['tone']>> = {
  fine: 'good',
  note: 'calm',
  unknown: 'calm',
  problem: 'warn',
  fatal: 'bad',
}

/** What was found, as the desk shows it. */
export function lightOf(found: HealthFound): HealthLight {
  const shown: Readonly<Record<HealthFound['code'], Omit<HealthLight, 'tone'>>> = words
  const { text, ...rest } = shown[found.code]
  const is = texts[found.code] as ((found: HealthFound) => string) | undefined
  const at = 'at' in found ? found.at : undefined
  const all = { ...rest, tone: tones[found.verdict], text: fill(text, { is: is?.(found) ?? '' }) }
  return at === undefined ? all : { ...all, at }
}

type FoundOf<C> = Extract<HealthFound, { readonly code: C }>

/** What stands in the sentence of a finding. */
const texts: { readonly [C in HealthFound['code']]?: (found: FoundOf<C>) => string } = {
  'list-overdue': ({ people }) => counted(people, 'person is', 'people are'),
  file: ({ bytes }) => size(bytes),
  disk: ({ bytes }) => size(bytes),
  outbox: ({ waiting }) =>
    waiting === 0 ? 'nothing waits' : `${counted(waiting, 'confirmation letter')} to be sent`,
  inbox: ({ alarm }) => alarm,
  events: eventsInWords,
  'events-held': eventsInWords,
  refused: ({ many }) => manyRefusedInWords(many),
  silence: ({ people }) => silenceInWords(people),
}

function eventsInWords({
  feed: { isOn, awaySince, failing, failure },
  people,
  held,
  forgotten,
}: FoundOf<'events' | 'events-held'>): string {
  const fails = awaySince === undefined ? 'the last ones were not taken' : 'the receiver went away'
  return [
    people === 0 ? 'nothing waits' : `events of ${counted(people, 'person', 'people')} wait`,
    ...(held > 0 ? [`those of ${counted(held, 'person', 'people')} are held`] : []),
    ...(forgotten > 0 ? [`${counted(forgotten, 'erasure')} not acknowledged`] : []),
    ...(isOn ? [] : ['events are off']),
    ...(failing ? [`${fails} (${failure})`] : []),
  ].join(', ')
}

/** Shows what was found before, while nobody waits for a look. @param failed shown where it throws */
function meanwhile(look: () => Promise<HealthLight[]>, first: HealthLight[], failed: HealthLight) {
  let last = first
  return () => {
    look().then(
      (found) => {
        last = found
      },
      () => {
        last = [failed]
      },
    )
    return last
  }
}

/** Asks the mail server once a minute: it may be slow. */
function mailLight({ smtpUrl: url }: HealthParts['settings']): () => HealthLight[] {
  const light = (tone: HealthLight['tone'], text: string) => ({ name: 'Mail server', tone, text })
  if (url === null) return () => [light('calm', 'not set up')]
  const ask = readSeldom(async () => {
    const { smtpMailer } = await import('../../mail/smtp-mailer.ts')
    const mailer = smtpMailer({ url })
    const found = await probeMailServer({ mailer }).finally(mailer.close)
    const { ms, answer = '' } = found.find((one) => one.code === 'mail-server') ?? {}
    return [
      ms === undefined ? light('bad', answer) : light('good', `answers in ${Math.round(ms)} ms`),
    ]
  }, ASK_MAIL_EVERY_MS)
  return meanwhile(ask, [light('calm', 'being asked')], light('bad', 'could not be asked'))
}

/** Whether people have heard nothing for long: to count them takes a reading of the whole list. */
function silenceLight(on: CheckedParts): () => HealthLight[] {
  const failed: HealthLight = { name: 'Silence', tone: 'warn', text: 'could not be counted' }
  const count = () => look(slowHealthChecks, on, ['silence']).then((found) => found.map(lightOf))
  return meanwhile(readSeldom(count, COUNT_LIST_EVERY_MS), [], failed)
}

/** The last announcement. It is under way while the process of its run lives. */
async function announcementLight({ store }: HealthParts): Promise<HealthLight> {
  const name = 'Announcement'
  const last = await lastAnnouncement(store)
  if (!last) return { name, tone: 'calm', text: 'none yet' }
  const { id, tally, run } = last
  const open = tally.queued + tally.sending
  // Until its turn, nobody knows whether somebody in the queue has left.
  const of = open === 0 ? ` of ${grouped(peopleToTell(rowsOf(tally), tally))}` : ''
  const failed = tally.failed > 0 ? `, ${grouped(tally.failed)} failed` : ''
  const done = `${id}: ${grouped(tally.sent)}${of} sent${failed}`
  if (open === 0) return { name, tone: tally.failed > 0 ? 'warn' : 'good', text: done }
  if (isRunning(run)) return { name, tone: 'good', text: `${done}, running` }
  const stopped = stoppedInWords(run)
  const why = stopped ? `, ${stopped}` : ''
  return { name, tone: 'warn', text: `${done}, ${grouped(open)} still in the queue${why}` }
}

/** `312 MB` */
function size(bytes: number): string {
  if (bytes < 999_500) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  if (bytes < 999_500_000) return `${Math.round(bytes / 1e6)} MB`
  return `${(bytes / GB).toFixed(bytes < 10 * GB ? 1 : 0)} GB`
}
