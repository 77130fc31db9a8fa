import { keyedHash } from '../keys/address-id.ts'
import { webhookHeaders } from '../keys/webhook-signature.ts'
import type { Answer } from '../queue/line.ts'
import { ANSWER_WITHIN_MS, type PostLimits, post } from '../queue/web-hook.ts'
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
  send(event: SentEvent, now: Date): Promise<Answer>
  /** Ends what is on its way, whose answer is then `stopped`. */
  close(): void
}

export interface ReceiverOptions {
  readonly url: string
  readonly secrets: readonly Buffer[]
  readonly limits?: PostLimits
}

/** Of the answer nothing is read but its status, and how long to wait. */
const usual: PostLimits = { timeMs: ANSWER_WITHIN_MS, bytes: 0 }

export function receiverAt({ url, secrets, limits = usual }: ReceiverOptions): Receiver {
  const closing = new AbortController()
  const hook = { url, limits, gone: [410], said: String, closing: closing.signal }
  return {
    label: new URL(url).host,
    send(event, now) {
      const body = bodyOf(event)
      return post(hook, body, webhookHeaders(secrets, event.id, now, body), now)
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
