import type { Sentence } from '../../shared/say.ts'
import { deskPaths } from './pages.ts'

export interface DeskAct {
  /** Where its button posts. With `./`, beneath the page that shows it; `<letter>` is a value's name, as in a command. */
  readonly post?: string
  /** The page that shows it, or asks once more. */
  readonly href?: string
  readonly kind?: 'main' | 'quiet' | 'danger'
  /** What it comes to, where that is asked once more. */
  readonly sure?: readonly Sentence[]
}

/** What the desk has for an act of a report, by its code. */
export const deskActs: Readonly<Record<string, DeskAct>> = {
  'who-answered': { post: deskPaths.people },
  release: { post: './release', kind: 'main' },
  unsubscribe: { post: './unsubscribe' },
  forget: {
    post: './forget',
    kind: 'danger',
    sure: [
      'Erased are the address, everywhere in the store; the time and source of their sign-up, and the receipt of their consent; and their address in every announcement, which counts them as “forgotten” from then on.',
      'A keyed hash of the address stays, so that no import can bring it back. Earlier back-ups and exports may still have it. They may sign up again by themselves.',
    ],
  },
  'release-letters': { post: deskPaths.release },
  'edit-letter': { href: `${deskPaths.letters}/<letter>/edit` },
  'edit-translation': { href: `${deskPaths.letters}/<letter>/edit?language=<language>` },
  'new-letter': { href: `${deskPaths.letters}/new?copy=<letter>` },
  'how-it-is-sent': { href: '#how' },
  force: { href: '#send' },
  check: { href: '#check' },
  open: { href: deskPaths.opening },
  quarantine: { href: `${deskPaths.people}?standing=quarantined` },
}
