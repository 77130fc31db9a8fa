import { counted, grouped } from './counted.ts'
import { say } from './say.ts'

/** What visitors left and is not taken in yet. */
export interface Waiting {
  /** Entries in line, and those that could not be taken in. */
  readonly entries: number
  readonly setAside: number
  /** How long the oldest of those in line has waited, in seconds. */
  readonly seconds: number
  /** Whether they wait for the link.key that the list was kept with. */
  readonly isOtherKey: boolean
}

/** Longer than any ordinary crowd takes, in seconds. */
export const LATE_S = 60

/** What is wrong with it, in sentences; nothing where all is well. */
export function waitingFaults({ entries, setAside, seconds, isOtherKey }: Waiting): string[] {
  const why = isOtherKey ? say(', until LINK_KEY is the one that the list was kept with') : ''
  const minutes = Math.floor(seconds / 60)
  return [
    ...(entries > 0 && (seconds > LATE_S || isOtherKey)
      ? [
          say('{waiting}{why}. The oldest came {minutes} ago.', {
            waiting: waitingInWords(entries),
            why,
            minutes: counted(minutes, 'minute'),
          }),
        ]
      : []),
    ...(setAside > 0
      ? [
          say('Could not be taken in, and is tried again at the next start: {setAside}.', {
            setAside: grouped(setAside),
          }),
        ]
      : []),
  ]
}

export const waitingInWords = (entries: number): string =>
  say('{entries} to be taken in', { entries: counted(entries, 'sign-up waits', 'sign-ups wait') })
