import { createHash } from 'node:crypto'
import { type Answer, afterTry, claimed, held, isDue, type TryEnd } from '../queue/line.ts'
import { type RetryPolicy, webhooks } from '../queue/retry-policy.ts'
import type { Notice, PlaceState } from '../store/notices.ts'
import type { NoticeMessage } from './place.ts'

/** Longer than a message can take. */
export const LEASE_MS = 180_000
/**
 * The least time between two messages to one place: notices that come meanwhile form one digest.
 */
const GAP_MS = 120_000
const policy: RetryPolicy = { ...webhooks, tries: webhooks.waits.length + 1 }

/** A message under way. */
export interface TakenMessage {
  readonly id: string
  readonly notices: readonly Notice[]
  /** How many tries failed. */
  readonly tries: number
  readonly lease: string
}

/**
 * The next message to a place. It is made of all waiting notices, and then stays the same until it
 * arrives: a place that got it without an answer recognises it by its id.
 */
export function nextMessage(
  place: PlaceState,
  waiting: readonly Notice[],
  now: Date,
): { readonly place?: PlaceState; readonly result: TakenMessage | undefined } {
  const { upTo = Infinity } = place
  const begun = waiting.filter(({ number }) => number <= upTo)
  // Where it waited so long that its notices were dropped, the others are the next.
  const notices = begun.length > 0 ? begun : waiting
  const last = notices.at(-1)
  if (!last || !isDue(place, now.getTime())) return { result: undefined }
  const taken = claimed({ ...place, upTo: last.number }, LEASE_MS, now.getTime())
  const { tries, lease } = taken
  return { place: taken, result: { id: messageId(notices), notices, tries, lease } }
}

/** A message of one notice has the notice's id. */
function messageId(notices: readonly Notice[]): string {
  const [first = '', ...more] = notices.map(({ id }) => id)
  if (more.length === 0) return first
  const digest = createHash('sha256')
    .update([first, ...more].join(' '))
    .digest('base64url')
  return `msg_${digest.slice(0, 22)}`
}

/** What a place's answer changes. Once it is gone, it is held. */
export function afterMessage(
  place: PlaceState,
  { notices, lease }: TakenMessage,
  answer: Answer,
  now: Date,
): { readonly place?: PlaceState; readonly result: TryEnd | 'gone' } {
  const at = now.getTime()
  const { upTo, ...others } = place
  if (upTo === undefined || upTo !== notices.at(-1)?.number) return { result: 'not ours' }
  const { end, line } = afterTry(others, lease, answer, policy, at)
  if (end === 'not ours') return { result: end }
  if (answer.kind === 'failed' && answer.isGone)
    return { place: { ...held(line, at), upTo }, result: 'gone' }
  if (end !== 'taken' && end !== 'over') return { place: { ...line, upTo }, result: end }
  const { givenUp = 0 } = place
  const told = { ...line, toldTo: upTo, tries: 0, lastAt: at, dueAt: at + GAP_MS }
  return { place: end === 'over' ? { ...told, givenUp: givenUp + 1 } : told, result: end }
}

/*
 * A place may refuse a message for what others wrote in it, such as the name of a source, or an
 * address. Its later tries leave that out, so that no stranger stops the notices that come after it.
 */

/** The tries that have it: the third one comes after five minutes. */
const TRIES_WITH = 2

const fields = ['sources', 'answer', 'addresses']

const isTheirs = ([name, value]: [string, unknown]) =>
  fields.includes(name) && (Array.isArray(value) || typeof value === 'string') && value.length > 0
const isLeftOut = ([name, value]: [string, unknown]) =>
  isTheirs([name, value]) || name === 'moreAddresses'

const hasTheirs = ({ data }: Notice) => Object.entries(data).some(isTheirs)

/** @param tries how many failed. @returns the message as it is sent then. */
export function asSentAfter(tries: number, message: NoticeMessage): NoticeMessage {
  if (tries < TRIES_WITH) return message
  const without = (notice: Notice) => {
    if (!hasTheirs(notice)) return notice
    const ours = Object.entries(notice.data).filter((field) => !isLeftOut(field))
    return { ...notice, data: { ...Object.fromEntries(ours), isShortened: true } }
  }
  return { ...message, notices: message.notices.map(without) }
}

/** What an answer means: none that may be for the words of others ends the place, or asks for a wait. */
export function meaningOf(answer: Answer, message: NoticeMessage): Answer {
  if (answer.kind !== 'failed' || !message.notices.some(hasTheirs)) return answer
  return { ...answer, isGone: false, waitMs: undefined }
}
