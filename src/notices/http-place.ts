import { webhookHeaders } from '../keys/webhook-signature.ts'
import { type WebHookOptions, webHook } from '../queue/web-hook.ts'
import {
  discordFormat,
  type Format,
  type FormatOptions,
  slackFormat,
  webhookFormat,
} from './formats.ts'
import type { Place } from './place.ts'

/** A place that takes messages by HTTP. */
export interface HttpPlaceOptions extends FormatOptions, Omit<WebHookOptions, 'gone'> {
  /** The service, whose format it reads. */
  readonly kind: HttpPlaceKind
  /** What the store knows it by. */
  readonly name: string
  /** The secrets that sign a `webhook`. */
  readonly secrets: readonly Buffer[]
}

export type HttpPlaceKind = 'slack' | 'discord' | 'webhook'

const formats: Readonly<Record<HttpPlaceKind, Format>> = {
  slack: slackFormat,
  discord: discordFormat,
  webhook: webhookFormat,
}

const brands = { slack: 'Slack', discord: 'Discord' } as const

export function httpPlace(options: HttpPlaceOptions): Place {
  const { kind, name, secrets } = options
  // Slack and Discord answer 404 for a deleted hook; elsewhere that may be a mistake that gets
  // corrected.
  const gone = kind === 'webhook' ? [410] : [404, 410]
  const { host, post, close } = webHook({ ...options, gone })
  return {
    name,
    label: kind === 'webhook' ? host : `${brands[kind]} (${host})`,
    send(message, now) {
      const body = formats[kind](message, options)
      const headers = kind === 'webhook' ? webhookHeaders(secrets, message.id, now, body) : {}
      return post(body, headers, now)
    },
    close,
  }
}
