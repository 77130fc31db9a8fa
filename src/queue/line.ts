import { randomBytes } from 'node:crypto'
import { fieldsOf, isCount, isText, isTime } from '../shared/stored-json.ts'
import { isAhead, type RetryPolicy, waitAfter } from './retry-policy.ts'

/*
 * What waits in order for one receiver, or of one person, is a line: its first is sent, and nothing
 * else of it meanwhile. Times are in milliseconds since 1970.
 */

/** How far the first of a line is. */
export interface Line {
  /** How often it failed, and when it did so first. */
  readonly tries: number
  readonly triedAt?: number | undefined
  /** When it is tried next; left out where the line is held. */
  readonly dueAt?: number | undefined
  readonly heldAt?: number | undefined
  /** The try under way, and until when no other one begins. */
  readonly lease?: string | undefined
  readonly leasedUntil?: number | undefined
  /** Why the last try failed: a status or a code. */
  readonly failure?: string | undefined
}

/** A line as it is stored, which anybody may have written. */
export function lineIn(row: Readonly<Record<string, unknown>>): Line {
  return {
    tries: 0,
    ...fieldsOf(row, ['tries'], isCount),
    ...fieldsOf(row, ['triedAt', 'dueAt', 'heldAt', 'leasedUntil'], isTime),
    ...fieldsOf(row, ['lease', 'failure'], isText),
  }
}

/** How a receiver answered to a try. */
export type Answer = { readonly kind: 'taken' } | { readonly kind: 'stopped' } | Failed

export interface Failed {
  readonly kind: 'failed'
  /** In a few words, without an address. */
  readonly failure: string
  /** How long the receiver asks to wait, in milliseconds. */
  readonly waitMs?: number | undefined
  /** Whether it may not have taken another one either. */
  readonly isAway?: boolean
  /** It said that it is gone. */
  readonly isGone?: boolean
}

/** What was sent, and how that ended. */
export interface Ended<Item> {
  readonly item: Item
  readonly answer: Answer
}

/**
 * - `taken`: the first of the line is done with.
 * - `stopped`: it was ended before an answer.
 * - `again`: it is tried again later; `over`: by its policy it is not.
 * - `not ours`: another process has begun a try since.
 */
export type TryEnd = 'taken' | 'stopped' | 'again' | 'over' | 'not ours'

export const isDue = ({ dueAt }: Line, now: number): boolean =>
  dueAt !== undefined && !isAhead(dueAt, now)

/** Takes the first of a line for a process, until the lease ends. */
export function claimed<L extends Line>(
  line: L,
  leaseMs: number,
  now: number,
): L & { readonly lease: string } {
  const until = now + leaseMs
  return { ...line, lease: newId('try'), leasedUntil: until, dueAt: until }
}

/**
 * What an answer to the first of a line changes. That it was taken counts from every process, and
 * a failure only from the one whose lease it is. A process that is killed while it sends counts no try.
 */
export function afterTry<L extends Line>(
  line: L,
  lease: string,
  answer: Answer,
  policy: RetryPolicy,
  now: number,
): { readonly end: TryEnd; readonly line: L } {
  if (answer.kind === 'taken') return { end: 'taken', line: begunAgain(released(line, now), now) }
  if (line.lease !== lease) return { end: 'not ours', line }
  // The next process need not wait for the end of the lease.
  if (answer.kind === 'stopped') return { end: 'stopped', line: released(line, now) }
  const { tries, triedAt = now } = line
  const failed = { tries: tries + 1, triedAt, failure: answer.failure }
  const { tries: most = Infinity, forMs = Infinity } = policy
  const isOver = failed.tries >= most || now - triedAt >= forMs
  const dueAt = now + waitAfter(failed.tries, policy, answer.waitMs)
  return { end: isOver ? 'over' : 'again', line: { ...released(line, dueAt), ...failed } }
}

/** A line whose try is over. */
export function released<L extends Line>(
  { lease: _, leasedUntil: __, ...line }: L,
  dueAt: number,
): L {
  return { ...line, dueAt } as L
}

/** Nothing of it is tried before it is begun again. */
export function held<L extends Line>({ dueAt: _, ...line }: L, now: number): L {
  return { ...line, heldAt: now } as L
}

/** Begins again, as if it had never failed. What is on its way stays so. */
export function begunAgain<L extends Line>(line: L, now: number): L {
  const { heldAt: _, triedAt: __, failure: ___, ...rest } = line
  const { leasedUntil } = line
  return { ...rest, tries: 0, dueAt: isAhead(leasedUntil, now) ? leasedUntil : now } as L
}

/** @returns an id that nobody can guess. */
export const newId = (kind: string): string => `${kind}_${randomBytes(16).toString('base64url')}`
