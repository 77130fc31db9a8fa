import { deskPaths } from './pages.ts'

export interface DeskAct {
  /** Where its button posts. With `./`, beneath the page that shows it; `<letter>` is a value's name, as in a command. */
  readonly post?: string
  /** The page that shows it, or asks once more. */
  readonly href?: string
  readonly kind?: 'main' | 'quiet' | 'danger'
}

/** What the desk has for an act of a report, by its code. */
export const deskActs: Readonly<Record<string, DeskAct>> = {
  'who-answered': { post: deskPaths.people },
  release: { post: './release', kind: 'main' },
  unsubscribe: { post: './unsubscribe' },
  forget: { href: './forget', kind: 'danger' },
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
