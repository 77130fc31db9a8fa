import { counted, grouped } from '../../shared/counted.ts'
import type { LetterPage, LetterStage, LetterState } from '../../shared/desk-letters.ts'

export const stateWords: Readonly<Record<LetterState, string>> = {
  unsent: 'not sent',
  starting: 'being checked',
  sending: 'being sent',
  stopping: 'stopping',
  stopped: 'stopped',
  waves: 'between waves',
  partly: 'sent in part',
  told: 'sent',
}

export const stageTitles: Readonly<Record<LetterStage, string>> = {
  'one-per-cent': 'One per cent first',
  everyone: 'Everyone',
  newcomers: 'Whoever came since',
  failed: 'Those who failed, again',
  uncertain: 'Those who may have it, again',
}

export const stageHints: Readonly<Record<LetterStage, string>> = {
  'one-per-cent': 'In order of sign-up. Then wait, and look at complaints and replies.',
  everyone: 'Nobody gets it twice, whatever happens in between.',
  newcomers: 'Who signed up since it began, or was released from the quarantine.',
  failed: 'Only where the cause was on your side and is gone.',
  uncertain: 'Look into your provider’s log first: they may get it twice.',
}

/** `We are live` and such; a letter without a subject has its name. */
export const titleOfLetter = ({ subject, name }: Pick<LetterPage, 'subject' | 'name'>) =>
  subject || name

/** `12.4 kB` */
export function inKilobytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
}

/** `45 s`, `9 min`, `3 h 12 min` */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const people = (count: number) => (count === 1 ? '1 person' : `${grouped(count)} people`)

export const mistakesInWords = (count: number) => counted(count, 'mistake')

/** What to do about what a check found; nothing where its own words say it. */
export function advice(what: string, verdict: string): string {
  if (verdict === 'fine' || verdict === 'note') return ''
  if (what === 'DKIM' && verdict === 'unknown')
    return 'Type the selector that your mail provider names, under “How it is sent”.'
  return adviceOf[what] ?? ''
}

const adviceOf: Readonly<Record<string, string>> = {
  'Mail server': 'Look at SMTP_URL where the server has its settings, and ask your provider.',
  Unsubscribing:
    'The server has to answer at that address with this LINK_KEY: look at PUBLIC_URL and UNSUBSCRIBE_URL.',
  SPF: 'Set the record at your DNS provider, as your mail provider names it. It may take a day to be seen.',
  DKIM: 'Set the record at your DNS provider, as your mail provider names it, or look at the selector.',
  DMARC: 'Set the record at your DNS provider; v=DMARC1; p=none is a beginning.',
  Letter: 'Edit the letter.',
  Time: 'Send faster, if your provider allows it, or in stages.',
}
