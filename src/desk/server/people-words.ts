import { say, translated } from '../../shared/say.ts'
import type { DoneNote } from '../contract/people.ts'

/** The actions, as the address of the page afterwards names them. */
const deeds = ['unsubscribed', 'released', 'forgotten'] as const

export type Deed = (typeof deeds)[number]

export function deedIn(word: unknown): Deed | undefined {
  return deeds.find((deed) => deed === word)
}

/**
 * The result of an action on one person, by their standing now: the page's address alone proves
 * nothing.
 */
export function personNote(deed: Deed | undefined, standing: string): DoneNote | null {
  if (deed === 'unsubscribed')
    return standing === 'unsubscribed'
      ? note(true, say('Unsubscribed'), say('They get no more letters, unless they sign up again.'))
      : note(
          false,
          say('Not changed: {standing}', { standing: translated(standing) }),
          say('That counts more than an unsubscribe.'),
        )
  if (deed === 'released')
    return standing === 'quarantined'
      ? note(
          false,
          say('Not released'),
          say('They have said meanwhile that it was not them, and stay in quarantine.'),
        )
      : note(true, say('Released'), say('They may be mailed, and keep the time of their sign-up.'))
  return null
}

function note(isDone: boolean, title: string, text: string): DoneNote {
  return { isDone, title, text }
}

export const forgottenWords =
  'Nothing is kept of them but a keyed hash of the address, so that no import brings it back. Back-ups and exports from before may still have it. Forgotten'
