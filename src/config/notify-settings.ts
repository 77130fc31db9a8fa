import { parseWebhookSecrets, WEBHOOK_SECRET_RULE } from '../keys/webhook-signature.ts'
import { parseEmail } from '../shared/email.ts'
import { onOrOff, readSender, type Sender } from './confirmation-settings.ts'
import { parseHookUrl } from './event-settings.ts'
import { type Environment, type Read, type Variables, variables } from './variables.ts'

/** The places where the operator gets notices, and when. */
export interface NotifySettings {
  readonly hooks: readonly Hook[]
  /** The secrets that sign a `webhook`. */
  readonly secrets: readonly Buffer[]
  readonly mail: (Sender & { readonly to: string }) | undefined
  /** When a day is summed up; left out for no summaries. */
  readonly dayEndsAt: { readonly hour: number; readonly minute: number } | undefined
  /** Whether digests have the addresses of those who signed up. */
  readonly areAddressesTold: boolean
}

/** A URL that takes messages; it is a secret. */
export interface Hook {
  readonly kind: 'slack' | 'discord' | 'webhook'
  readonly url: string
}

const MOST_URLS = 5
const names = ['NOTIFY_SECRET', 'NOTIFY_AT', 'NOTIFY_ADDRESSES'] as const

/** @returns `null` where no place is set. */
export function readNotify(all: Variables, env: Environment): NotifySettings | null {
  const { read, mistake } = all
  const isSet = (name: string) => Boolean(env[name]?.trim())
  if (!isSet('NOTIFY_URL') && !isSet('NOTIFY_MAIL')) {
    for (const name of names.filter(isSet))
      mistake(`${name}: is set, but neither NOTIFY_URL nor NOTIFY_MAIL is, so nobody would be told`)
    return null
  }
  const hooks = read('NOTIFY_URL', '', parseHooks, URL_RULE)
  const isSigned = hooks?.some(({ kind }) => kind === 'webhook') ?? false
  if (isSigned && !isSet('NOTIFY_SECRET'))
    mistake(
      `NOTIFY_SECRET: is not set, but NOTIFY_URL names a receiver that is neither Slack nor Discord. It must be ${WEBHOOK_SECRET_RULE}`,
    )
  const at = read('NOTIFY_AT', '09:00', parseTime, 'a time such as 09:00, or off')
  return {
    hooks,
    secrets: read('NOTIFY_SECRET', '', parseSecrets, WEBHOOK_SECRET_RULE),
    mail: isSet('NOTIFY_MAIL')
      ? {
          to: read('NOTIFY_MAIL', '', parseEmail, 'one e-mail address, such as you@example.com'),
          ...readSender(all, 'NOTIFY_MAIL'),
        }
      : undefined,
    dayEndsAt: at?.time,
    areAddressesTold: read('NOTIFY_ADDRESSES', 'off', onOrOff, 'on or off'),
  }
}

/** What `notify` reads. */
export function readNotifySettings(env: Environment): Read<NotifySettings> {
  const all = variables(env)
  const settings = readNotify(all, env)
  if (!settings)
    all.mistake('NOTIFY_URL: is not set, and neither is NOTIFY_MAIL, so nobody is told of anything')
  return all.result(settings)
}

const URL_RULE = `up to ${MOST_URLS} URLs with spaces between them, each https:// (or http:// on this machine) and without a user, a password or a #; "slack+" or "discord+" stands before the URL of another receiver that reads such messages`

const parseSecrets = (text: string) => (text === '' ? [] : parseWebhookSecrets(text))

function parseHooks(setting: string): readonly Hook[] | undefined {
  if (setting === '') return []
  const urls = [...new Set(setting.split(/\s+/))]
  const hooks = urls.flatMap((text) => parseHook(text) ?? [])
  return urls.length <= MOST_URLS && hooks.length === urls.length ? hooks : undefined
}

function parseHook(text: string): Hook | undefined {
  const [, format, address = ''] = /^(?:(slack|discord)\+)?(.*)$/s.exec(text) ?? []
  const url = parseHookUrl(address)
  if (!url) return undefined
  const kind = (format as Hook['kind'] | undefined) ?? kindOf(url.hostname, url.pathname)
  return { kind, url: url.href }
}

/** The kind by the host; a word before the URL names the format of another receiver. */
function kindOf(hostname: string, pathname: string): Hook['kind'] {
  if (/^hooks\.slack(-gov)?\.com$/.test(hostname)) return 'slack'
  const isDiscord = /^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname)
  if (!isDiscord) return 'webhook'
  return pathname.endsWith('/slack') ? 'slack' : 'discord'
}

function parseTime(text: string) {
  if (text === 'off') return { time: undefined }
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hour && minute ? { time: { hour: Number(hour), minute: Number(minute) } } : undefined
}
