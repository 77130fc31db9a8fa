import type { Brake } from '../shared/held-letters.ts'
import type { Answers, LetterCounts } from './letter-counts.ts'
import { hasHiddenField } from './place-in-line.ts'
import type { ConfirmationRequest } from './requests.ts'

const MINUTE_MS = 60_000
const LONGEST_WAIT_MS = 60 * MINUTE_MS
/** How often a waiting letter is decided again, since others may be answered meanwhile. */
const LOOK_AGAIN_MS = 5 * MINUTE_MS
const LOOK_AT_HELD_MS = 24 * 60 * MINUTE_MS
/** A household, a table in a café, some colleagues: as many as the signs of a robot let pass. */
export const ORDINARY = 10
export const MOST_HIDDEN = 10
/** Most people answer such letters. Below a fifth, four of five letters went to strangers. */
const ORDINARY_SHARE = 0.2

/** Why a letter waits, and when it is decided again. */
export interface Held {
  readonly waitsFor: Brake
  readonly dueAt: Date
}

/**
 * Decides whether a letter that may leave waits first, by the answers to other letters. While
 * letters stay unanswered, a network without an unanswered one still gets its letter at once, and
 * each other letter leaves after an hour at the latest: so strangers cannot shut out the people of
 * a company. Only letters of programs that filled the hidden field stop, from the tenth on, until a
 * release.
 */
export function brake(
  { at, suspicion }: Pick<ConfirmationRequest, 'at' | 'suspicion'>,
  counts: LetterCounts,
  now: Date,
): Held | undefined {
  const waitsFor = hasHiddenField(suspicion) ? hiddenField(counts) : tripped(counts)
  const released = waitsFor && counts.released[waitsFor]
  if (!waitsFor || (released && at <= released)) return undefined
  if (waitsFor === 'hidden-field')
    return { waitsFor, dueAt: new Date(now.getTime() + LOOK_AT_HELD_MS) }
  const last = at.getTime() + LONGEST_WAIT_MS
  const next = now.getTime() + LOOK_AGAIN_MS
  return now.getTime() < last ? { waitsFor, dueAt: new Date(Math.min(last, next)) } : undefined
}

const hiddenField = ({ hidden }: LetterCounts) =>
  hidden < MOST_HIDDEN ? undefined : ('hidden-field' as const)

function tripped({ network, domain, recent }: LetterCounts): Brake | undefined {
  if (network?.unanswered === 0) return undefined
  if (isMuch(network)) return 'network'
  if (isMuch(domain)) return 'domain'
  // Without a known network, a flood would hold up everybody.
  return network && recent && shareOf(recent) < ORDINARY_SHARE ? 'share' : undefined
}

const shareOf = ({ answered, unanswered }: Answers) => answered / (answered + unanswered)

/** Each answer makes up for a missing one: at a fair, many who answer share a network. */
function isMuch(counts: Answers | undefined): boolean {
  return counts !== undefined && counts.unanswered - counts.answered >= ORDINARY
}
