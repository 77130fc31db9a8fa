import { createHash } from 'node:crypto'
import { LONGEST_WAIT, waitAfter } from '../shared/webhook-retries.ts'
import type { GivenUp, Notice, PlaceMessage, PlaceState } from '../store/notices.ts'
import type { PlaceAnswer } from './place.ts'

/** Longer than a message can take. */
const LEASE_MS = 180_000
/**
 * The least time between two messages to one place: notices that come meanwhile form one digest.
 */
const GAP_MS = 120_000
/** How many given-up messages are remembered. */
const REMEMBERED = 20

export interface Turn {
  readonly id: string
  readonly notices: readonly Notice[]
  /** How many tries failed. */
  readonly tries: number
}

type Taken = { readonly place?: PlaceState; readonly result: Turn | undefined }

/**
 * The next message to a place. It is made of all waiting notices, and then stays the same until it
 * arrives: a place that got it without an answer recognises it by its id.
 *
 * @param holder this process; no other one sends to the place during its lease.
 */
export function nextTurn(
  place: PlaceState,
  waiting: readonly Notice[],
  holder: string,
  now: Date,
): Taken {
  const at = now.getTime()
  const nothing: Taken = { result: undefined }
  if (place.goneAt !== undefined || isAhead(place.heldUntil, at, LEASE_MS)) return nothing
  const { message = newMessage(place, waiting, at) } = place
  if (!message || isAhead(message.dueAt, at, LONGEST_WAIT)) return nothing
  const notices = waiting.filter(({ number }) => number <= message.last)
  // The message waited so long that its notices were dropped.
  if (notices.length === 0) return { place: told(place, message), result: undefined }
  return {
    place: { ...place, message, holder, heldUntil: at + LEASE_MS },
    result: { id: message.id, notices, tries: message.tries },
  }
}

/** Whether a time is ahead; a time that is too far ahead is from before the clock was put back. */
function isAhead(time: number | undefined, now: number, most: number): boolean {
  return time !== undefined && time > now && time <= now + most
}

function newMessage({ lastAt }: PlaceState, waiting: readonly Notice[], now: number) {
  const last = waiting.at(-1)
  const next = lastAt === undefined ? undefined : lastAt + GAP_MS
  if (!last || isAhead(next, now, GAP_MS)) return undefined
  const message: PlaceMessage = { id: messageId(waiting), last: last.number, tries: 0, dueAt: now }
  return message
}

/** A message of one notice has the notice's id. */
function messageId(notices: readonly Notice[]): string {
  const [first, ...more] = notices.map(({ id }) => id)
  if (first !== undefined && more.length === 0) return first
  const digest = createHash('sha256')
    .update([first, ...more].join(' '))
    .digest('base64url')
  return `msg_${digest.slice(0, 22)}`
}

/** How a turn ended, for the place and for the log. */
export type TurnEnd = 'arrived' | 'stopped' | 'again' | 'given up' | 'gone' | 'not ours'

/**
 * What a place's answer changes. An arrival counts from every process; a failure counts only from
 * the holder of the place.
 */
export function afterTurn(
  place: PlaceState,
  turn: Turn,
  answer: PlaceAnswer,
  holder: string,
  now: Date,
): { readonly place?: PlaceState; readonly result: TurnEnd } {
  const at = now.getTime()
  const { message, holder: _, heldUntil: __, failure: ___, ...rest } = place
  if (message?.id !== turn.id) return { result: 'not ours' }
  if (answer.kind === 'arrived')
    return { place: { ...told(rest, message), lastAt: at }, result: 'arrived' }
  if (place.holder !== holder) return { result: 'not ours' }
  // The next process need not wait for the end of the lease.
  if (answer.kind === 'stopped') return { place: { ...rest, message }, result: 'stopped' }
  const failed = { ...rest, failure: answer.answer }
  if (answer.kind === 'gone') return { place: { ...failed, message, goneAt: at }, result: 'gone' }
  // Counted only here: a process that is killed while it sends counts no try, which would give up
  // too soon.
  const tries = message.tries + 1
  const wait = waitAfter(tries, answer.waitMs)
  if (wait !== undefined)
    return {
      place: { ...failed, message: { ...message, tries, dueAt: at + wait } },
      result: 'again',
    }
  const end: GivenUp = { id: turn.id, at, notices: turn.notices.length, answer: answer.answer }
  const givenUp = [...(place.givenUp ?? []), end].slice(-REMEMBERED)
  return { place: { ...told(failed, message), lastAt: at, givenUp }, result: 'given up' }
}

function told({ message: _, ...place }: PlaceState, { last }: PlaceMessage): PlaceState {
  return { ...place, toldTo: last }
}
