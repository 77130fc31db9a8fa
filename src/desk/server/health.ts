import { lastAnnouncement } from '../../announcement/last-announcement.ts'
import { look } from '../../checks/check.ts'
import {
  type HealthParts as CheckedParts,
  healthChecks,
  heldLetters,
  slowHealthChecks,
} from '../../checks/health.ts'
import { probeMailServer } from '../../checks/mail.ts'
import { announcementNote, healthNote, unseen } from '../../report/makers/health.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Note } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import type { DeskParts } from './parts.ts'

export type HealthParts = Pick<
  DeskParts,
  'store' | 'place' | 'backups' | 'collecting' | 'dataDir' | 'product'
> & { readonly settings: Pick<DeskParts['settings'], 'confirm' | 'smtpUrl'> }

const LOOK_EVERY_MS = 15_000
/** For what takes a reading of the whole list. A letter ends the silence at once. */
const COUNT_LIST_EVERY_MS = 5 * 60_000
const ASK_MAIL_EVERY_MS = 60_000

/** Whether all that the page and its letters need is in order, as far as it can be known from here. */
export function healthOf(parts: HealthParts): () => Promise<Note[]> {
  const on = { ...parts, isAsking: parts.settings.confirm }
  const mail = mailNote(parts.settings)
  const silence = silenceNote(on)
  const refused = readSeldom(() => look(slowHealthChecks, on, ['refused']), COUNT_LIST_EVERY_MS)
  const others = readSeldom(async () => {
    const [found, last, many] = await Promise.all([
      look(healthChecks, on),
      lastAnnouncement(parts.store),
      refused(),
    ])
    return [...found.map(healthNote), announcementNote(last), ...many.map(healthNote)]
  }, LOOK_EVERY_MS)
  return async () => {
    // Read each time, since a button releases them.
    const held = await heldLetters.probe(on)
    const notes = [...held.map(healthNote), ...(await others())]
    // Read last, since the mail server may have answered meanwhile, and the list been counted.
    return [...notes, ...silence(), ...mail()]
  }
}

/** Shows what was found before, while nobody waits for a look. @param failed shown where it throws */
function meanwhile(look: () => Promise<Note[]>, first: Note[], failed: Note) {
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
function mailNote({ smtpUrl: url }: HealthParts['settings']): () => Note[] {
  const is = { code: 'mail-server', label: say('Mail server') }
  if (url === null) return () => [{ ...is, text: say('not set up') }]
  const ask = readSeldom(async (): Promise<Note[]> => {
    const { smtpMailer } = await import('../../mail/smtp-mailer.ts')
    const mailer = smtpMailer({ url })
    const found = await probeMailServer({ mailer }).finally(mailer.close)
    const { ms, answer = '' } = found.find((one) => one.code === 'mail-server') ?? {}
    if (ms === undefined) return [{ ...is, text: answer, weight: 'bad' }]
    return [{ ...is, text: say('answers in {ms} ms', { ms: Math.round(ms) }), weight: 'good' }]
  }, ASK_MAIL_EVERY_MS)
  const failed = { ...is, text: say('could not be asked'), weight: 'bad' } as const
  return meanwhile(ask, [{ ...is, text: say('being asked') }], failed)
}

/** Whether people have heard nothing for long: to count them takes a reading of the whole list. */
function silenceNote(on: CheckedParts): () => Note[] {
  const count = () => look(slowHealthChecks, on, ['silence']).then((found) => found.map(healthNote))
  const failed = unseen('silence', say('could not be counted'))
  return meanwhile(readSeldom(count, COUNT_LIST_EVERY_MS), [], failed)
}
