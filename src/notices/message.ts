import { createHash } from 'node:crypto'
import { type Answer, afterTry, claimed, held, isDue, type TryEnd } from '../queue/line.ts'
import { type RetryPolicy, webhooks } from '../queue/retry-policy.ts'
import type { GivenUp, Notice, PlaceMessage, PlaceState } from '../store/notices.ts'

/** Longer than a message can take. */
export const LEASE_MS = 180_000
/**
 * The least time between two messages to one place: notices that come meanwhile form one digest.
 */
const GAP_MS = 120_000
/** How many given-up messages are remembered. */
const REMEMBERED = 20

const policy: RetryPolicy = { ...webhooks, tries: webhooks.waits.length + 1 }

/** A message under way. */
export interface TakenMessage {
  readonly id: string
  readonly notices: readonly Notice[]
  /** How many tries failed. */
  readonly tries: number
  readonly lease: string
}

type Taken = { readonly place?: PlaceState; readonly result: TakenMessage | undefined }

/**
 * The next message to a place. It is made of all waiting notices, and then stays the same until it
 * arrives: a place that got it without an answer recognises it by its id.
 */
export function nextMessage(place: PlaceState, waiting: readonly Notice[], now: Date): Taken {
  const nothing: Taken = { result: undefined }
  const message = place.message ?? newMessage(waiting)
  if (!message || !isDue(place, now.getTime())) return nothing
  const notices = waiting.filter(({ number }) => number <= message.last)
  // The message waited so long that its notices were dropped.
  if (notices.length === 0) return { place: told(place, message), result: undefined }
  const taken = claimed({ ...place, message }, LEASE_MS, now.getTime())
  const { tries, lease } = taken
  return { place: taken, result: { id: message.id, notices, tries, lease } }
}

function newMessage(waiting: readonly Notice[]): PlaceMessage | undefined {
  const last = waiting.at(-1)
  return last && { id: messageId(waiting), last: last.number }
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

/** What a place's answer changes. Once it is gone, it is held. */
export function afterMessage(
  place: PlaceState,
  { id, notices, lease }: TakenMessage,
  answer: Answer,
  now: Date,
): { readonly place?: PlaceState; readonly result: TryEnd | 'gone' } {
  const at = now.getTime()
  const { message } = place
  if (message?.id !== id) return { result: 'not ours' }
  const { end, line } = afterTry(place, lease, answer, policy, at)
  if (end === 'not ours') return { result: end }
  if (answer.kind === 'failed' && answer.isGone) return { place: held(line, at), result: 'gone' }
  if (end !== 'taken' && end !== 'over') return { place: line, result: end }
  const next = { ...told(line, message), tries: 0, lastAt: at, dueAt: at + GAP_MS }
  if (answer.kind !== 'failed') return { place: next, result: end }
  const given: GivenUp = { id, at, notices: notices.length, failure: answer.failure }
  const givenUp = [...(place.givenUp ?? []), given].slice(-REMEMBERED)
  return { place: { ...next, givenUp }, result: end }
}

function told({ message: _, ...place }: PlaceState, { last }: PlaceMessage): PlaceState {
  return { ...place, toldTo: last }
}
