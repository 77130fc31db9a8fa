import { keyedHash } from '../keys/address-id.ts'
import { webhookHeaders } from '../keys/webhook-signature.ts'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { type WebHookOptions, webHook } from '../queue/web-hook.ts'
import type { Product } from '../shared/product.ts'
import {
  discordFormat,
  type Format,
  type FormatOptions,
  slackFormat,
  webhookFormat,
} from './formats.ts'
import { mailPlace } from './mail-place.ts'
import type { Place } from './place.ts'

interface PlacesOptions {
  readonly hooks: readonly { readonly kind: HttpPlaceKind; readonly url: string }[]
  /** The secrets that sign a `webhook`. */
  readonly secrets: readonly Buffer[]
  readonly mail:
    | { readonly to: string; readonly smtpUrl: string; readonly mailFrom: string }
    | undefined
}

/** Shorter than the lease of a message, so that no other server begins to send it. */
const timeouts = { connect: 15_000, silence: 30_000, message: 60_000 }

/**
 * The places that an operator named.
 *
 * @param linkKey the secret `LINK_KEY`: without it, the names in the store reveal no URL.
 */
export function placesOf(options: PlacesOptions, product: Product, linkKey: Buffer): Place[] {
  const { hooks, secrets, mail } = options
  const nameOf = keyedHash(linkKey, 'notice-place')
  const places = hooks.map(({ kind, url }) =>
    httpPlace({ kind, url, secrets, product: product.name, name: `${kind}:${nameOf(url)}` }),
  )
  if (!mail) return places
  const { to, smtpUrl, mailFrom } = mail
  const mailer = smtpMailer({ url: smtpUrl, connections: 1, timeouts })
  const name = `mail:${nameOf(to)}`
  return [...places, mailPlace({ product, name, to, from: mailFrom, mailer })]
}

/** A place that takes messages by HTTP. */
interface HttpPlaceOptions extends FormatOptions, Omit<WebHookOptions, 'gone'> {
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
