import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { LINK_KEY_RULE, parseLinkKey } from '../keys/link-key.ts'
import { KEY_RULE, parseKey } from '../keys/secret-key.ts'
import { PUBLIC_URL_RULE, parsePublicUrl } from '../shared/public-url.ts'
import { parseStoreKind, STORE_RULE, type StoreKind } from './store-setting.ts'

/** What the environment may set. The README has the list for operators. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly store: StoreKind
  /** Absolute; for `sqlite`, and for the keys that are `null` here. */
  readonly dataDir: string
  /** For `firestore`; that of the credentials if it is not set. */
  readonly projectId: string | undefined
  /** The origin that visitors see, without a slash at the end. */
  readonly publicUrl: string | null
  /** The proxies whose forwarded addresses are believed: addresses, networks, or names of ranges. */
  readonly trustProxy: readonly string[]
  readonly logLevel: string
  /** Sign-ups a minute from one client address; 0 for no limit. */
  readonly rateLimit: number
  /** The same, a day. */
  readonly rateLimitDay: number
  /** Signs session cookies; `null` for the one that is kept in `dataDir`. */
  readonly sessionKey: string | null
  /** Signs unsubscribe links; `null` for the one that is kept in `dataDir`. */
  readonly linkKey: Buffer | null
}

/**
 * Reads the settings and checks every one.
 *
 * @returns the settings, or one sentence for each mistake.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
): { settings: Settings } | { mistakes: string[] } {
  const mistakes: string[] = []

  function read<T>(
    name: string,
    byDefault: string,
    parse: (text: string) => T | undefined,
    must: string,
  ) {
    // An empty variable is what `PORT= npm start` and many a compose file mean by "not set".
    const text = env[name]?.trim() || byDefault
    const value = parse(text)
    // A key is not repeated where others may read it.
    const is = name.endsWith('KEY') ? 'is set' : `is "${text}"`
    if (value === undefined) mistakes.push(`${name}: ${is}, must be ${must}`)
    return value as T
  }

  const store = read('STORE', 'sqlite', parseStoreKind, STORE_RULE)

  /** A secret; servers that share a store share no folder that one of them could make it in. */
  function readKey<T>(name: string, parse: (text: string) => T | null | undefined, must: string) {
    const key = read<T | null>(name, '', parse, must)
    if (key === null && store === 'firestore')
      mistakes.push(`${name}: is not set, must be ${must}, the same for all servers`)
    return key
  }

  const limit = 'a whole number from 0 to 1000000'
  const rateLimit = read('RATE_LIMIT', '100', wholeNumber(1_000_000), limit)
  // Whoever turned the one off meant no limit.
  const aDay = rateLimit === 0 ? '0' : '1000'
  const rateLimitDay = read('RATE_LIMIT_DAY', aDay, wholeNumber(1_000_000), limit)

  const settings: Settings = {
    store,
    port: read('PORT', '3000', wholeNumber(65_535), 'a whole number from 0 to 65535'),
    host: read('HOST', '127.0.0.1', hostName, 'a host name or an IP address'),
    dataDir: resolve(read('DATA_DIR', 'data', (text) => text, 'a folder')),
    projectId: env.GOOGLE_CLOUD_PROJECT?.trim() || undefined,
    publicUrl: read('PUBLIC_URL', '', parsePublicUrl, PUBLIC_URL_RULE),
    trustProxy: read(
      'TRUST_PROXY',
      'off',
      proxies,
      'off, or the addresses of your proxies, such as 127.0.0.1,10.0.0.0/8 or loopback',
    ),
    logLevel: read('LOG_LEVEL', 'warn', logLevel, `one of ${logLevels.join(', ')}`),
    ...{ rateLimit, rateLimitDay },
    sessionKey: readKey('SESSION_KEY', parseKey, KEY_RULE),
    linkKey: readKey('LINK_KEY', parseLinkKey, LINK_KEY_RULE),
  }
  return mistakes.length > 0 ? { mistakes } : { settings }
}

function wholeNumber(max: number) {
  return (text: string) =>
    /^\d{1,7}$/.test(text) && Number(text) <= max ? Number(text) : undefined
}

function hostName(text: string) {
  return isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined
}

/** `true` or a number of hops are not offered: they believe whatever a visitor sends along. */
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
