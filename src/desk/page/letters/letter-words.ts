import { localized } from '../../../shared/counted.ts'
import type { Sentence } from '../../../shared/say.ts'
import type { LetterPage, LetterState } from '../../contract/letters.ts'

export const stateWords: Readonly<Record<LetterState, Sentence>> = {
  unsent: 'not sent',
  starting: 'being checked',
  sending: 'being sent',
  stopping: 'stopping',
  stopped: 'stopped',
  interrupted: 'interrupted',
  partly: 'partly sent',
  told: 'sent',
}

/** `We are live` and such; a letter without a subject has its name. */
export const titleOfLetter = ({ subject, name }: Pick<LetterPage, 'subject' | 'name'>) =>
  subject || name

/** `12.4 kB` */
export function inKilobytes(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : `${localized((bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0))} kB`
}
