import { webhookHeaders } from '../keys/webhook-signature.ts'
import { withoutAddresses } from '../mail/smtp-outcome.ts'
import {
  discordFormat,
  type Format,
  type FormatOptions,
  slackFormat,
  webhookFormat,
} from './formats.ts'
import { type Answered, NoAnswer, type PostLimits, postJson } from './http-post.ts'
import type { Place, PlaceAnswer } from './place.ts'

/** A place that takes messages by HTTP. */
export interface HttpPlaceOptions extends FormatOptions {
  /** The service, whose format it reads. */
  readonly kind: HttpPlaceKind
  /** A secret: anybody who knows it can post there. */
  readonly url: string
  /** What the store knows it by. */
  readonly name: string
  /** The secrets that sign a `webhook`. */
  readonly secrets: readonly Buffer[]
  readonly limits?: PostLimits
}

export type HttpPlaceKind = 'slack' | 'discord' | 'webhook'

const formats: Readonly<Record<HttpPlaceKind, Format>> = {
  slack: slackFormat,
  discord: discordFormat,
  webhook: webhookFormat,
}

const brands = { slack: 'Slack', discord: 'Discord' } as const

export function httpPlace(options: HttpPlaceOptions): Place {
  const { kind, url, name, secrets, limits } = options
  const { host } = new URL(url)
  const closing = new AbortController()
  return {
    name,
    // The host alone: the rest of the URL is a secret.
    label: kind === 'webhook' ? host : `${brands[kind]} (${host})`,
    async send(message, now) {
      const body = formats[kind](message, options)
      const headers = kind === 'webhook' ? webhookHeaders(secrets, message.id, now, body) : {}
      try {
        const answered = await postJson(url, body, headers, closing.signal, limits)
        const text = isQuotedIn(answered.text, url) ? '' : answered.text
        return meaningOf({ ...answered, text }, kind, now)
      } catch (cause) {
        if (!(cause instanceof NoAnswer)) throw cause
        if (closing.signal.aborted) return { kind: 'stopped' }
        return { kind: 'failed', answer: cause.message }
      }
    },
    close: () => closing.abort(),
  }
}

function meaningOf(answered: Answered, kind: HttpPlaceKind, now: Date): PlaceAnswer {
  const { status, retryAfter, text } = answered
  if (status >= 200 && status < 300) return { kind: 'arrived' }
  const said = withoutAddresses(text)
  const answer = `${status}${said ? ` ${said.slice(0, LONGEST_SAID)}` : ''}`
  // Slack and Discord answer 404 for a deleted hook; elsewhere that may be a mistake that gets
  // corrected.
  const isGone = status === 410 || (status === 404 && kind !== 'webhook')
  if (isGone) return { kind: 'gone', answer }
  if (status >= 300 && status < 400)
    return { kind: 'failed', answer: `${status}, a redirect, which is not followed` }
  return { kind: 'failed', answer, waitMs: retryAfterIn(retryAfter, now) }
}

const LONGEST_SAID = 120
/** Shorter parts of a path are words such as `api`. */
const SHORTEST_SECRET = 5

/** Whether an answer repeats a part of the URL, which is a secret. */
function isQuotedIn(text: string, url: string): boolean {
  const { pathname, search } = new URL(url)
  const parts = `${pathname}${search}`.split(/[/?&=]/)
  return parts.some((part) => part.length >= SHORTEST_SECRET && text.includes(part))
}

/** `Retry-After` in milliseconds: seconds, or a date. */
export function retryAfterIn(retryAfter: string | null, now: Date): number | undefined {
  if (!retryAfter) return undefined
  const seconds = /^\d{1,12}$/.test(retryAfter.trim()) ? Number(retryAfter) : undefined
  const wait = seconds === undefined ? Date.parse(retryAfter) - now.getTime() : seconds * 1000
  return Number.isFinite(wait) && wait > 0 ? wait : undefined
}
