import { keyedHash } from '../keys/address-id.ts'
import { webhookHeaders } from '../keys/webhook-signature.ts'
import type { Answer } from '../queue/waiting-line.ts'
import { type WebHookOptions, webHook } from '../queue/web-hook.ts'
import type { EventType } from '../shared/event-types.ts'
import type { ClaimedEvent } from '../store/events.ts'

/** What is sent: one event of one person. */
export interface SentEvent extends Omit<ClaimedEvent, 'type' | 'person' | 'lease'> {
  readonly type: EventType | 'test'
  readonly person?: string
}

export interface Receiver {
  readonly label: string
  /** Sends an event once, as `post` of a web hook does. */
  send(event: SentEvent, now: Date): Promise<Answer>
  close(): void
}

export interface ReceiverOptions extends Omit<WebHookOptions, 'gone'> {
  readonly secrets: readonly Buffer[]
}

export function receiverAt({ secrets, ...options }: ReceiverOptions): Receiver {
  const { host, post, close } = webHook({ ...options, gone: [410] })
  return {
    label: host,
    send(event, now) {
      const body = bodyOf(event)
      return post(body, webhookHeaders(secrets, event.id, now, body), now)
    },
    close,
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
