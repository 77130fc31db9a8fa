import * as features from '../features/all-rules.ts'
import { parseKept } from '../keys/kept-key.ts'
import { parseLinkKey } from '../keys/link-key.ts'
import { parseWebhookSecrets } from '../keys/webhook-signature.ts'
import { parseEmail } from '../shared/email.ts'
import { parseKeepRule } from '../shared/keep-rule.ts'
import { parsePublicUrl } from '../shared/public-url.ts'
import type { Setting } from '../shared/setting.ts'
import * as parse from './parse.ts'
import rows from './settings.json' with { type: 'json' }

const all = { ...rows, ...features.settings }

export type SettingName = keyof typeof all

export const settings: Readonly<Record<SettingName, Setting>> = all

const text = (text: string) => text

/** How each is read; `undefined` for what it must not be. `root` is where a relative folder begins. */
export const parsers = {
  PORT: parse.wholeNumber(65_535),
  HOST: parse.hostName,
  PUBLIC_URL: parsePublicUrl,
  TRUST_PROXY: parse.proxies,
  RATE_LIMIT: parse.wholeNumber(1_000_000),
  RATE_LIMIT_DAY: parse.wholeNumber(1_000_000),
  DATA_DIR: parse.folder,
  LINK_KEY: parseLinkKey,
  GOOGLE_CLOUD_PROJECT: text,
  GOOGLE_APPLICATION_CREDENTIALS: text,
  FIREBASE_WEBAPP_CONFIG: text,
  SMTP_URL: parse.smtpUrl,
  MAIL_FROM: parse.mailFrom,
  UNSUBSCRIBE_URL: parse.unsubscribeUrl,
  CONFIRM: parse.onOrOff,
  CONSENT_IP: parse.onOrOff,
  BACKUP_TO: parse.folder,
  BACKUP_KEEP: (text: string) => (parseKeepRule(text) ? text : undefined),
  BACKUP_PASSPHRASE: (text: string) => (text.length >= 16 ? text : undefined),
  BACKUP_SEAL_KEY: parseKept,
  NOTIFY_URL: parse.hooks,
  NOTIFY_SECRET: parseWebhookSecrets,
  NOTIFY_MAIL: parseEmail,
  NOTIFY_AT: parse.timeOfDay,
  EVENTS_URL: (text: string) => parse.hookUrl(text)?.href,
  EVENTS: parse.events,
  EVENTS_SECRET: parse.eventSecrets,
  VISITS: parse.oneOf('page', 'script', 'off'),
  METRICS_PORT: (text: string) =>
    text === 'off' ? ('off' as const) : parse.wholeNumber(65_535)(text),
  METRICS_HOST: parse.hostName,
  ...features.parsers,
  LOG_LEVEL: parse.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
} satisfies Readonly<Record<SettingName, (text: string, root: string) => unknown>>

/** What a setting is when it was read; `null` where it is not set and has no default. */
export type SettingValue<N extends SettingName> =
  | Exclude<ReturnType<(typeof parsers)[N]>, undefined>
  | ((typeof all)[N] extends { readonly default: string } ? never : null)
