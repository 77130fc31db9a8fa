import type { LetterPage, LetterStage, LetterState } from '../../contract/letters.ts'

export const stateWords: Readonly<Record<LetterState, string>> = {
  unsent: 'not sent',
  starting: 'being checked',
  sending: 'being sent',
  stopping: 'stopping',
  stopped: 'stopped',
  interrupted: 'interrupted',
  partly: 'partly sent',
  told: 'sent',
}

export const stageTitles: Readonly<Record<LetterStage, string>> = {
  'one-per-cent': 'One per cent first',
  everyone: 'Everyone',
  newcomers: 'Those new since the letter began',
  failed: 'Again: those for whom it failed',
  uncertain: 'Again: those who may have it',
}

export const stageHints: Readonly<Record<LetterStage, string>> = {
  'one-per-cent':
    'About one in a hundred, the earliest sign-ups. Then wait, and look at complaints and replies.',
  everyone: 'Nobody gets it twice, even after a crash.',
  newcomers: 'Those who signed up, or left the quarantine, since the letter began.',
  failed: 'Only if the cause was on your side, and is gone.',
  uncertain: 'Look into your provider’s log first: they may get it twice.',
}

/** `We are live` and such; a letter without a subject has its name. */
export const titleOfLetter = ({ subject, name }: Pick<LetterPage, 'subject' | 'name'>) =>
  subject || name

/** `12.4 kB` */
export function inKilobytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
}
