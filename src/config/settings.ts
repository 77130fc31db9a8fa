import { INVITATION_KEY_RULE, parseInvitationKey } from '../keys/invitation-key.ts'
import { LINK_KEY_RULE, parseLinkKey } from '../keys/link-key.ts'
import { parseSealKey, SEAL_KEY_RULE } from '../keys/seal-key.ts'
import { KEY_RULE, parseKey } from '../keys/secret-key.ts'
import { parseWebhookSecrets, WEBHOOK_SECRET_RULE } from '../keys/webhook-signature.ts'
import { senderDomain } from '../mail/sender.ts'
import { isSmtpUrl, SMTP_URL_RULE } from '../mail/smtp-url.ts'
import { parseEmail } from '../shared/email.ts'
import { KEEP_RULE, parseKeepRule } from '../shared/keep-rule.ts'
import { PUBLIC_URL_RULE, parsePublicUrl } from '../shared/public-url.ts'
import * as parse from './parse.ts'

/** What a variable of the environment may be. `settings.json` says what it does. */
export interface Setting {
  /**
   * Gives `undefined` for what it must not be.
   *
   * @param root the project's folder, where a relative folder begins.
   */
  readonly parse: (text: string, root: string) => unknown
  /** What it must be, for the sentence about a wrong one. */
  readonly rule: string
  /** A right one, which the sentence has too; of a key, the command that makes it. */
  readonly example: string
  /** What it is where it is not set, or empty: many compose files mean "not set" by that. */
  readonly byDefault?: string
  /**
   * Whether its value is not repeated in a message: keys, addresses, URLs that hold a secret, and what
   * may hold a secret key by mistake.
   */
  readonly isSecret?: true
}

const onOrOff = {
  parse: parse.onOrOff,
  rule: 'on or off',
  example: 'on',
  byDefault: 'off',
} as const
const text = (text: string) => text

function wholeNumber<D extends string>(most: number, byDefault: D) {
  const rule = `a whole number from 0 to ${most}`
  return { parse: parse.wholeNumber(most), rule, example: byDefault, byDefault } as const
}

function oneOf<const T extends string>(choices: readonly T[], byDefault: NoInfer<T>) {
  const chosen = (text: string) => choices.find((one) => one === text)
  const rule = `one of ${choices.join(', ')}`
  return { parse: chosen, rule, example: byDefault, byDefault } as const
}

const host = {
  parse: parse.hostName,
  rule: 'a host name or an IP address',
  example: '127.0.0.1',
  byDefault: '127.0.0.1',
} as const

const folder = {
  parse: parse.folder,
  rule: 'the plain path of a folder, without ~, $HOME, quotes, a drive or file:, which a shell or a browser would replace',
  example: '/var/lib/opening-bell',
} as const

const NEW_KEY = '"openssl rand -base64 32"'
const key = { parse: parseKey, rule: KEY_RULE, example: NEW_KEY, isSecret: true } as const
const secrets = {
  rule: WEBHOOK_SECRET_RULE,
  example: '"echo whsec_$(openssl rand -base64 32)"',
  isSecret: true,
} as const

/** Every setting of ours, in the order of the document. Nothing else says what one may be. */
export const settings = {
  PORT: wholeNumber(65_535, '3000'),
  HOST: host,
  PUBLIC_URL: { parse: parsePublicUrl, rule: PUBLIC_URL_RULE, example: 'https://example.com' },
  EMBED_ORIGINS: {
    parse: parse.embedOrigins,
    rule: 'origins like https://blog.example.com, with commas between them: https, no path, no *',
    example: 'https://blog.example.com',
  },
  TRUST_PROXY: {
    parse: parse.proxies,
    rule: 'off, or the addresses of your proxies, such as 127.0.0.1,10.0.0.0/8 or loopback',
    example: 'loopback',
    byDefault: 'off',
  },
  RATE_LIMIT: wholeNumber(1_000_000, '100'),
  RATE_LIMIT_DAY: wholeNumber(1_000_000, '1000'),
  DATA_DIR: { ...folder, byDefault: 'data' },
  SESSION_KEY: key,
  LINK_KEY: { ...key, parse: parseLinkKey, rule: LINK_KEY_RULE },
  ACCOUNTS_KEY: key,
  INVITATION_KEY: { ...key, parse: parseInvitationKey, rule: INVITATION_KEY_RULE },
  GOOGLE_CLOUD_PROJECT: { parse: text, rule: 'a project', example: 'our-project' },
  GOOGLE_APPLICATION_CREDENTIALS: { parse: text, rule: 'a file', example: 'key.json' },
  FIREBASE_WEBAPP_CONFIG: {
    parse: text,
    rule: 'a JSON object',
    example: '{"apiKey":"…","projectId":"our-project"}',
  },
  SMTP_URL: {
    parse: (text: string) => (isSmtpUrl(text) ? text : undefined),
    rule: SMTP_URL_RULE,
    example: 'smtp://user:password@mail.example.com:587',
    isSecret: true,
  },
  MAIL_FROM: {
    parse: (text: string) => (senderDomain(text) && !/\p{Cc}/u.test(text) ? text : undefined),
    rule: 'like Meridian <hello@example.com>',
    example: 'Meridian <hello@example.com>',
  },
  UNSUBSCRIBE_URL: {
    parse: parse.unsubscribeUrl,
    rule: 'the https address of the unsubscribe page',
    example: 'https://example.com/unsubscribe',
  },
  CONFIRM: onOrOff,
  REFERRALS: onOrOff,
  CONSENT_IP: onOrOff,
  BACKUP_TO: { ...folder, example: '/var/lib/opening-bell-backups' },
  BACKUP_KEEP: {
    parse: (text: string) => (parseKeepRule(text) ? text : undefined),
    rule: KEEP_RULE,
    example: '7,4,12',
    byDefault: '7,4,12',
  },
  BACKUP_RECIPIENTS: {
    parse: parse.recipients,
    rule: 'recipients of age, such as age1…, with commas between',
    example: 'age1…',
    isSecret: true,
  },
  BACKUP_PASSPHRASE: {
    parse: (text: string) => (text.length >= 16 ? text : undefined),
    rule: `at least 16 characters, such as ${NEW_KEY} prints`,
    example: NEW_KEY,
    isSecret: true,
  },
  BACKUP_SEAL_KEY: { ...key, parse: parseSealKey, rule: SEAL_KEY_RULE },
  NOTIFY_URL: {
    parse: parse.hooks,
    rule: `up to ${parse.MOST_HOOKS} URLs with spaces between them, each https:// (or http:// on this machine) and without a user, a password or a #; "slack+" or "discord+" stands before the URL of another receiver that reads such messages`,
    example: 'https://hooks.slack.com/services/…',
    isSecret: true,
  },
  NOTIFY_SECRET: { ...secrets, parse: parseWebhookSecrets },
  NOTIFY_MAIL: {
    parse: parseEmail,
    rule: 'one e-mail address',
    example: 'you@example.com',
    isSecret: true,
  },
  NOTIFY_AT: {
    parse: parse.timeOfDay,
    rule: 'a time such as 09:00, or off',
    example: '09:00',
    byDefault: '09:00',
  },
  NOTIFY_ADDRESSES: onOrOff,
  EVENTS_URL: {
    parse: (text: string) => parse.hookUrl(text)?.href,
    rule: 'one URL, https:// (or http:// on this machine) and without a user, a password or a #',
    example: 'https://crm.example.com/hook',
    isSecret: true,
  },
  EVENTS: { parse: parse.events, rule: parse.EVENTS_RULE, example: 'left,forgotten' },
  EVENTS_SECRET: {
    ...secrets,
    parse: parse.eventSecrets,
    rule: WEBHOOK_SECRET_RULE.replace('a space', 'a space or a comma'),
  },
  VISITS: oneOf(['page', 'script', 'off'], 'page'),
  METRICS_PORT: {
    parse: (text: string) => (text === 'off' ? ('off' as const) : parse.wholeNumber(65_535)(text)),
    rule: 'off, or a whole number from 0 to 65535',
    example: '9464',
    byDefault: 'off',
  },
  METRICS_HOST: host,
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'warn'),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

/** What a setting is when it was read; `null` where it is not set and has no default. */
export type SettingValue<N extends SettingName> =
  | Exclude<ReturnType<(typeof settings)[N]['parse']>, undefined>
  | ((typeof settings)[N] extends { readonly byDefault: string } ? never : null)
