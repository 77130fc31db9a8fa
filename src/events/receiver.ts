import { keyedHash } from '../keys/address-id.ts'
import { webhookHeaders } from '../keys/webhook-signature.ts'
import { retryAfterIn } from '../notices/http-place.ts'
import { NoAnswer, type PostLimits, postJson } from '../notices/http-post.ts'
import type { EventAnswer } from '../people/event-queue.ts'
import type { EventType } from '../shared/event-types.ts'

/** What is sent: one event of one person. */
export interface SentEvent {
  readonly id: string
  readonly type: EventType | 'test'
  readonly at: Date
  readonly person?: string | undefined
  readonly email?: string | undefined
  readonly answer?: string | undefined
}

export interface Receiver {
  /** Its host: the rest of its URL is a secret. */
  readonly label: string
  /** Sends an event once, in a bounded time. A fault of the network is an answer, no exception. */
  send(event: SentEvent, now: Date): Promise<EventAnswer>
  /** Ends what is on its way, whose answer is then `stopped`. */
  close(): void
}

export interface ReceiverOptions {
  readonly url: string
  readonly secrets: readonly Buffer[]
  readonly limits?: PostLimits
}

/** Of the answer nothing is read but its status, and how long to wait. */
const usual: PostLimits = { timeMs: 20_000, bytes: 0 }

/** Statuses that say nothing of the one event: the next one would get the same. */
const away = new Set([401, 403, 404, 405, 408, 410, 425, 429])

export function receiverAt({ url, secrets, limits = usual }: ReceiverOptions): Receiver {
  const closing = new AbortController()
  return {
    label: new URL(url).host,
    async send(event, now) {
      const body = bodyOf(event)
      const headers = webhookHeaders(secrets, event.id, now, body)
      try {
        const { status, retryAfter } = await postJson(url, body, headers, closing.signal, limits)
        if (status >= 200 && status < 300) return { kind: 'taken' }
        return {
          kind: 'failed',
          failure: String(status),
          waitMs: retryAfterIn(retryAfter, now),
          isAway: status >= 500 || status < 400 || away.has(status),
          ...(status === 410 && { isGone: true }),
        }
      } catch (cause) {
        if (!(cause instanceof NoAnswer)) throw cause
        if (closing.signal.aborted) return { kind: 'stopped' }
        return { kind: 'failed', failure: cause.message, isAway: true }
      }
    },
    close: () => closing.abort(),
  }
}

/** Standard Webhooks, with the id in the body too, for receivers that show no headers. */
export function bodyOf({ id, type, at, person, email, answer }: SentEvent): string {
  return JSON.stringify({
    id,
    type,
    timestamp: at.toISOString(),
    data: { ...(person && { person }), ...(email && { email }), ...(answer && { answer }) },
  })
}

/** What the store knows a receiver by, which reveals no URL. @param linkKey the secret `LINK_KEY`. */
export function feedPlace(linkKey: Buffer, url: string): string {
  return keyedHash(linkKey, 'event-receiver')(url)
}
