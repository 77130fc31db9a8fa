import { grouped } from '../../terminal/words.ts'
import type { DoneNote } from '../contract/people.ts'

/** What was done, as it stands in the address of the page that says it. */
export const deeds = ['unsubscribed', 'released', 'erased', 'forgotten'] as const

export type Deed = (typeof deeds)[number]

export function deedIn(word: unknown): Deed | undefined {
  return deeds.find((deed) => deed === word)
}

/** What is said of one person afterwards: by how they stand now, whatever the address of the page says. */
export function personNote(deed: Deed | undefined, standing: string): DoneNote | null {
  if (deed === 'unsubscribed')
    return standing === 'unsubscribed'
      ? note(true, 'Unsubscribed', 'No letter reaches them any more, unless they sign up again.')
      : note(false, `They stay ${standing}`, 'That is graver than to have unsubscribed.')
  if (deed === 'released')
    return standing === 'quarantined'
      ? note(false, 'Not released', 'They said since that it was not them, and stay as they are.')
      : note(true, 'Released', 'They may be mailed, and keep the time of their sign-up.')
  return null
}

/** What is said of the selected ones of the quarantine. */
export function selectedNote(deed: Deed | undefined, done: number, asked: number): DoneNote | null {
  if (deed !== 'released' && deed !== 'erased') return null
  if (asked === 0) return note(false, 'Nobody was selected', 'Nothing was changed.')
  const others = asked - done
  const rest =
    others > 0
      ? ` ${grouped(others)} ${others === 1 ? 'was' : 'were'} not held any more, and ${others === 1 ? 'stays' : 'stay'} as before.`
      : ''
  const after =
    deed === 'released'
      ? 'They may be mailed, and keep the time of their sign-up.'
      : 'Back-ups and exports from before still have them.'
  return note(done > 0, `${grouped(done)} ${deed}`, `${done > 0 ? after : ''}${rest}`.trim())
}

function note(isDone: boolean, title: string, text: string): DoneNote {
  return { isDone, title, text }
}

/** What `forget` does, before it is done. */
export const erasedWords = [
  'The address, everywhere in the store: its bytes are overwritten.',
  'When they signed up, where from, and the receipt of their consent.',
  'Their name in every announcement: its rows stay, and lead to nobody.',
] as const

export const staysWords = [
  'A keyed hash of the address, so that no import can bring it back.',
  'Back-ups and exports from before: they still have it.',
  'They may sign up again by themselves.',
] as const
