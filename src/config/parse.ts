import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseWebhookSecrets } from '../keys/webhook-signature.ts'
import { senderDomain } from '../mail/sender.ts'
import { eachOf } from '../shared/each-of.ts'
import { eventTypes } from '../shared/event-types.ts'
import { isLoopback } from '../shared/open-url.ts'

/* How settings are read. Each gives `undefined` for what it must not be. */

export { onOrOff } from '../shared/on-or-off.ts'

export const oneOf =
  <const T extends string>(...choices: readonly T[]) =>
  (text: string) =>
    choices.find((one) => one === text)

export const wholeNumber = (most: number) => (text: string) =>
  /^\d{1,7}$/.test(text) && Number(text) <= most ? Number(text) : undefined

/** `localhost` is the address of loopback where the documented proxies look: it may be ::1 alone. */
export function hostName(text: string) {
  if (text.toLowerCase() === 'localhost') return '127.0.0.1'
  return isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined
}

/**
 * What a shell or a browser would replace is no name: a folder of that name would be made inside the
 * project. @param root where a relative one begins. @returns an absolute path.
 */
export const folder = (text: string, root: string) =>
  /^[\w+.-]*:|(^|\/)~|\$[A-Z_{(]|^["'`]|["'`]$|%\w+%/.test(text) ? undefined : resolve(root, text)

/** Whether nobody reads on the way what is sent there: TLS, or this machine. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname = '' } = URL.parse(url) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** `true` or a number of hops are not offered: they would trust headers that visitors send. */
export function proxies(text: string): readonly string[] | undefined {
  if (text === 'off') return []
  const parts = text.split(',').map((part) => part.trim())
  return parts.every(isProxy) ? parts : undefined
}

function isProxy(text: string) {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return (
    bits === undefined ||
    (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/**
 * One with a path, a query or a fragment is none: a `#` in a password ends the server's name, and the
 * user's would be taken for it.
 */
export function smtpUrl(text: string): string | undefined {
  const { protocol, hostname, pathname = '' } = URL.parse(text) ?? {}
  const isServer = (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== ''
  return isServer && ['', '/'].includes(pathname) && !/[?#]/.test(text) ? text : undefined
}

/** An address, or a name with an address in angle brackets. */
export const mailFrom = (text: string) =>
  senderDomain(text) && !/\p{Cc}/u.test(text) ? text : undefined

/** Mail providers follow only https; a server on this machine may use http, for trials. */
export function unsubscribeUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !isPrivate(url.href) || url.username || url.search || url.hash) return undefined
  return url.href.replace(/\/$/, '')
}

/** What reads a message there. */
type HookKind = 'slack' | 'discord' | 'webhook'

export function hooks(text: string) {
  const urls = [...new Set(text.split(/\s+/))]
  return urls.length > 5 ? undefined : eachOf(urls, hook)
}

function hook(text: string) {
  const [, format, address = ''] = /^(?:(slack|discord)\+)?(.*)$/s.exec(text) ?? []
  const url = hookUrl(address)
  if (!url) return undefined
  const kind = (format as HookKind | undefined) ?? kindOf(url.hostname, url.pathname)
  return { kind, url: url.href }
}

/** The kind by the host; a word before the URL names the format of another receiver. */
function kindOf(hostname: string, pathname: string): HookKind {
  if (/^hooks\.slack(-gov)?\.com$/.test(hostname)) return 'slack'
  const isDiscord = /^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname)
  if (!isDiscord) return 'webhook'
  return pathname.endsWith('/slack') ? 'slack' : 'discord'
}

/** One that takes messages: private, and with no name or password in it. */
export function hookUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash || /[\p{Cc}\s]/u.test(text)) return undefined
  return isPrivate(url.href) ? url : undefined
}

export function timeOfDay(text: string) {
  if (text === 'off') return 'off' as const
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hour && minute ? { hour: Number(hour), minute: Number(minute) } : undefined
}

/** A receiver that is told of people must hear when one is erased. */
export function events(text: string) {
  const wanted = new Set(listed(text))
  const types = eventTypes.filter((one) => wanted.has(one))
  return types.includes('forgotten') && types.length === wanted.size ? types : undefined
}

/** Two while one is being changed. */
export function eventSecrets(text: string) {
  const secrets = parseWebhookSecrets(listed(text).join(' '))
  return secrets && secrets.length <= 2 ? secrets : undefined
}

const listed = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')
