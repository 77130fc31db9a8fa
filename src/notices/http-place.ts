import { webhookHeaders } from '../keys/webhook-signature.ts'
import { withoutAddresses } from '../mail/smtp-outcome.ts'
import { ANSWER_WITHIN_MS, type PostLimits, post } from '../queue/web-hook.ts'
import {
  discordFormat,
  type Format,
  type FormatOptions,
  slackFormat,
  webhookFormat,
} from './formats.ts'
import type { Place } from './place.ts'

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

/** Of a failure's answer, in bytes. */
const usual: PostLimits = { timeMs: ANSWER_WITHIN_MS, bytes: 2000 }

export function httpPlace(options: HttpPlaceOptions): Place {
  const { kind, url, name, secrets, limits = usual } = options
  const { host } = new URL(url)
  const closing = new AbortController()
  // Slack and Discord answer 404 for a deleted hook; elsewhere that may be a mistake that gets
  // corrected.
  const gone = kind === 'webhook' ? [410] : [404, 410]
  const hook = { url, limits, gone, said: saidBy(url), closing: closing.signal }
  return {
    name,
    // The host alone: the rest of the URL is a secret.
    label: kind === 'webhook' ? host : `${brands[kind]} (${host})`,
    send(message, now) {
      const body = formats[kind](message, options)
      const headers = kind === 'webhook' ? webhookHeaders(secrets, message.id, now, body) : {}
      return post(hook, body, headers, now)
    },
    close: () => closing.abort(),
  }
}

const saidBy = (url: string) => (status: number, text: string) => {
  if (status >= 300 && status < 400) return `${status}, a redirect, which is not followed`
  const said = isQuotedIn(text, url) ? '' : withoutAddresses(text).slice(0, LONGEST_SAID)
  return said ? `${status} ${said}` : `${status}`
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
