import { keyedHash } from '../keys/address-id.ts'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import type { Product } from '../shared/product.ts'
import { type HttpPlaceKind, httpPlace } from './http-place.ts'
import { mailPlace } from './mail-place.ts'
import type { Place } from './place.ts'

export interface PlacesOptions {
  readonly hooks: readonly { readonly kind: HttpPlaceKind; readonly url: string }[]
  /** The secrets that sign a `webhook`. */
  readonly secrets: readonly Buffer[]
  readonly mail:
    | { readonly to: string; readonly smtpUrl: string; readonly mailFrom: string }
    | undefined
  readonly zone: string
}

/** Shorter than the lease of a message, so that no other server begins to send it. */
const timeouts = { connect: 15_000, silence: 30_000, message: 60_000 }

/**
 * The places that an operator named.
 *
 * @param linkKey the secret `LINK_KEY`: without it, the names in the store reveal no URL.
 */
export function placesOf(options: PlacesOptions, product: Product, linkKey: Buffer): Place[] {
  const { hooks, secrets, mail, zone } = options
  const nameOf = keyedHash(linkKey, 'notice-place')
  const places = hooks.map(({ kind, url }) =>
    httpPlace({ kind, url, secrets, zone, product: product.name, name: `${kind}:${nameOf(url)}` }),
  )
  if (!mail) return places
  const { to, smtpUrl, mailFrom } = mail
  const mailer = smtpMailer({ url: smtpUrl, connections: 1, timeouts })
  const name = `mail:${nameOf(to)}`
  return [...places, mailPlace({ product, zone, name, to, from: mailFrom, mailer })]
}
