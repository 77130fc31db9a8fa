import { isIP } from 'node:net'
import { KEY_RULE, parseKey } from '../keys/secret-key.ts'
import { EMBED_ORIGIN_RULE, parseEmbedOrigin } from '../shared/embed-origins.ts'
import { PUBLIC_URL_RULE, parsePublicUrl } from '../shared/public-url.ts'
import {
  type ConfirmationSettings,
  readConfirmation,
  readReferrals,
} from './confirmation-settings.ts'
import { type EventSettings, readEvents } from './event-settings.ts'
import { type NotifySettings, readNotify } from './notify-settings.ts'
import { readStoreSettings, type StoreSettings } from './store-settings.ts'
import { type Environment, type Read, type Variables, variables } from './variables.ts'

/** What the environment may set. docs/settings.md has the list for operators. */
export interface ServerSettings extends StoreSettings {
  readonly port: number
  readonly host: string
  /** The origin that visitors see, without a slash at the end. */
  readonly publicUrl: string | null
  /** The sites whose pages may have our form, as browsers write their origins. */
  readonly embedOrigins: readonly string[]
  /** The proxies whose forwarded addresses are trusted: addresses, networks, or names of ranges. */
  readonly trustProxy: readonly string[]
  readonly logLevel: string
  /** Sign-ups a minute from one client address; 0 for no limit. */
  readonly rateLimit: number
  /** The same, a day. */
  readonly rateLimitDay: number
  /** Signs session cookies; `null` for the one that is kept in `dataDir`. */
  readonly sessionKey: string | null
  /** What the product's server names itself by when it posts accounts; `null` where it posts none. */
  readonly accountsKey: string | null
  /** What counts as a visit: the answer to the page, or the page's first call. */
  readonly visits: VisitsSetting
  /** How visitors are asked to confirm; `null` where they are not. */
  readonly confirmation: ConfirmationSettings | null
  /** Whether who confirmed gets a personal link, and it is kept whom they bring. */
  readonly referrals: boolean
  /** Where the operator gets notices; `null` for nowhere. */
  readonly notify: NotifySettings | null
  /** Where events about people go; `null` for nowhere. */
  readonly events: EventSettings | null
  /** The port and host of the metrics; `null` where nothing is measured. */
  readonly metrics: { readonly port: number; readonly host: string } | null
}

const visitsSettings = ['page', 'script', 'off'] as const

export type VisitsSetting = (typeof visitsSettings)[number]

/** @param root the project's folder, where a relative `DATA_DIR` begins. */
export function readServerSettings(env: Environment, root: string): Read<ServerSettings> {
  const all = variables(env)
  const { read } = all
  const store = readStoreSettings(all, root)
  const limit = 'a whole number from 0 to 1000000'
  const rateLimit = read('RATE_LIMIT', '100', wholeNumber(1_000_000), limit)
  // An operator who turned off the limit a minute meant no limit at all.
  const aDay = rateLimit === 0 ? '0' : '1000'
  const { publicUrl, port } = readAddress(all)
  const confirmation = readConfirmation(all, publicUrl)
  return all.result({
    ...store,
    port,
    host: read('HOST', '127.0.0.1', hostName, 'a host name or an IP address'),
    publicUrl,
    embedOrigins: readEmbedOrigins(all),
    confirmation,
    referrals: readReferrals(all, confirmation !== null),
    notify: readNotify(all, env),
    events: readEvents(all, env),
    trustProxy: read(
      'TRUST_PROXY',
      'off',
      proxies,
      'off, or the addresses of your proxies, such as 127.0.0.1,10.0.0.0/8 or loopback',
    ),
    logLevel: read('LOG_LEVEL', 'warn', logLevel, `one of ${logLevels.join(', ')}`),
    visits: read(
      'VISITS',
      'page',
      (text) => visitsSettings.find((one) => one === text),
      'page, script or off',
    ),
    metrics: readMetrics(all),
    rateLimit,
    rateLimitDay: read('RATE_LIMIT_DAY', aDay, wholeNumber(1_000_000), limit),
    accountsKey: read<string | null>('ACCOUNTS_KEY', '', parseKey, KEY_RULE),
    sessionKey: read<string | null>('SESSION_KEY', '', parseKey, KEY_RULE),
  })
}

/** The server's own address and its public one, for commands that need no other settings. */
export function readSiteAddress(env: Environment): Read<SiteAddress> {
  const all = variables(env)
  return all.result(readAddress(all))
}

export type SiteAddress = Pick<ServerSettings, 'port' | 'publicUrl'>

function readAddress({ read }: Variables): SiteAddress {
  return {
    publicUrl: read('PUBLIC_URL', '', parsePublicUrl, PUBLIC_URL_RULE),
    port: read('PORT', '3000', wholeNumber(65_535), 'a whole number from 0 to 65535'),
  }
}

/** What the form on other sites needs, for its command. */
export function readEmbedSettings(env: Environment): Read<EmbedSettings> {
  const all = variables(env)
  return all.result({ ...readAddress(all), embedOrigins: readEmbedOrigins(all) })
}

export type EmbedSettings = SiteAddress & Pick<ServerSettings, 'embedOrigins'>

/** A mistake for each origin that is wrong. */
function readEmbedOrigins({ read, mistake }: Variables): readonly string[] {
  const given = read('EMBED_ORIGINS', '', (text) => text, '')
  const origins = given
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const origin = parseEmbedOrigin(one)
      if (origin === undefined)
        mistake(`EMBED_ORIGINS: has "${one}", each must be ${EMBED_ORIGIN_RULE}`)
      return origin ?? ''
    })
  return [...new Set(origins)]
}

function readMetrics({ read }: Variables): ServerSettings['metrics'] {
  const port = read(
    'METRICS_PORT',
    'off',
    (text) => (text === 'off' ? text : wholeNumber(65_535)(text)),
    'off, or a whole number from 0 to 65535',
  )
  const host = read('METRICS_HOST', '127.0.0.1', hostName, 'a host name or an IP address')
  return port === 'off' ? null : { port, host }
}

function wholeNumber(max: number) {
  return (text: string) =>
    /^\d{1,7}$/.test(text) && Number(text) <= max ? Number(text) : undefined
}

/** `localhost` is the address of loopback where the documented proxies look: it may be ::1 alone. */
function hostName(text: string) {
  if (text.toLowerCase() === 'localhost') return '127.0.0.1'
  return isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined
}

/** `true` or a number of hops are not offered: they would trust headers that visitors send. */
function proxies(text: string) {
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

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function logLevel(text: string) {
  return logLevels.includes(text) ? text : undefined
}
