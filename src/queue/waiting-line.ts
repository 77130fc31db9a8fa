import { randomBytes } from 'node:crypto'
import { asCount, asMoment, asText, isText, objectIn, reader } from '../shared/stored-json.ts'
import { isAhead, type RetryPolicy, waitAfter } from './retry-policy.ts'

/*
 * What waits in order for one receiver, or of one person, is a line: its first is sent, and nothing
 * else of it meanwhile. Times are in milliseconds since 1970.
 */

/** One of what waits. */
export interface Item {
  /** The same with every try, for ever. */
  readonly id: string
}

/** What waits, and how far its first is. */
export interface Line<I extends Item = Item> {
  readonly items: readonly I[]
  /** How many had to make space, or cannot be read. */
  readonly dropped?: number | undefined
  /** How often it failed, and when it did so first. */
  readonly tries: number
  readonly triedAt?: number | undefined
  /** When it is tried next; left out where the line is held. */
  readonly dueAt?: number | undefined
  readonly heldAt?: number | undefined
  /** The last try of the first, and until when no other one begins. */
  readonly lease?: string | undefined
  readonly leasedUntil?: number | undefined
  /** Why the last try failed: a status or a code. */
  readonly failure?: string | undefined
}

/**
 * A line as it is stored, which anybody may have written. An item that cannot be read, such as one of a
 * later version, is left out alone: there may be none left.
 *
 * @param most are read, the last ones. @returns nothing of what is no line.
 */
export function lineIn<I extends Item>(
  stored: unknown,
  itemIn: (json: unknown) => I | undefined,
  most: number,
): Line<I> | undefined {
  const row = objectIn(stored)
  if (!row || !Array.isArray(row.items)) return undefined
  const items = row.items.flatMap((one) => itemIn(one) ?? []).slice(-most)
  const { dropped: before = 0, ...fields } = fieldsIn(row) ?? {}
  const dropped = before + row.items.length - items.length
  return { items, tries: 0, ...fields, ...(dropped > 0 && { dropped }) }
}

const fieldsIn = reader<Partial<Omit<Line, 'items'>>>(
  {},
  {
    ...{ tries: asCount, dropped: asCount, lease: asText, failure: asText },
    ...{ triedAt: asMoment, dueAt: asMoment, heldAt: asMoment, leasedUntil: asMoment },
  },
)

/** Adds to the end of a line. So that it stays bounded, the oldest that is not under way makes space. */
export function lengthened<I extends Item, L extends Line<I>>(
  line: L,
  added: readonly I[],
  most: number,
): L {
  const items = [...line.items, ...added]
  items.splice(1, Math.max(0, items.length - most))
  return { ...line, items }
}

/** Whether its first may be on its way, or have arrived. */
export const isBegun = ({ lease }: Line): boolean => lease !== undefined

/** A try that is under way. */
export interface Try {
  /** Of what is sent. */
  readonly id: string
  readonly lease: string
}

/** A kind of lines: what it is, and what a result means. */
export interface LineKind<I extends Item, L extends Line<I>, End = TryEnd> {
  readonly name: 'events' | 'notices'
  /** Reads a line, which anybody may have written. */
  readonly read: (stored: unknown) => L | undefined
  readonly after: (
    line: L,
    sent: Try,
    answer: Answer,
    now: number,
  ) => { readonly end: End; readonly line: L }
  /** Whether a line stays where nothing waits. */
  readonly stays?: boolean
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
 * - `taken`: what was sent is done with.
 * - `stopped`: it was ended before an answer.
 * - `again`: it is tried again later; `over`: by its policy it is not.
 * - `not ours`: another process has begun a try since, or it waits no more.
 */
export type TryEnd = 'taken' | 'stopped' | 'again' | 'over' | 'not ours'

export const isDue = ({ dueAt, items }: Line, now: number): boolean =>
  items.length > 0 && dueAt !== undefined && !isAhead(dueAt, now)

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
  { id, lease }: Try,
  answer: Answer,
  policy: RetryPolicy,
  now: number,
): { readonly end: TryEnd; readonly line: L } {
  // Erased meanwhile: with this answer nothing older is on its way.
  if (line.items[0]?.id !== id)
    return { end: 'not ours', line: line.lease === lease ? released(line, now) : line }
  if (answer.kind === 'taken') return { end: 'taken', line: shortened(line, now) }
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

/** Without its first: the next begins. */
export function shortened<L extends Line>(
  { lease: _, leasedUntil: __, ...line }: L,
  now: number,
): L {
  return begunAgain({ ...line, items: line.items.slice(1) } as unknown as L, now)
}

/** A line whose try is over. */
export function released<L extends Line>({ leasedUntil: _, ...line }: L, dueAt: number): L {
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

/** The id of an item. */
export const asId = (stored: unknown): string | undefined =>
  isText(stored) && /^evt_[\w-]{22}$/.test(stored) ? stored : undefined
