import { settings as ownOfFeatures, rules } from '../features/all-rules.ts'
import type { Environment } from '../product/environment.ts'
import product from '../product/product.ts'
import { paths } from '../shared/api.ts'
import type { SettingReader } from '../shared/feature-rules.ts'
import { isPrivate } from './parse.ts'
import { type Reader, readSettings } from './read.ts'
import type { SettingName, SettingValue } from './settings.ts'

/*
 * What each program reads of the settings, and which of them need each other. docs/settings.md has what
 * they do.
 */

export type ServerSettings = ReturnType<typeof serverSettings>
export type StoreSettings = ReturnType<typeof storeSettings>
export type BuildSettings = ReturnType<typeof buildSettings>
export type DeskSettings = ReturnType<typeof deskSettings>
export type ConfirmationSettings = NonNullable<ReturnType<typeof confirmation>>
export type NotifySettings = NonNullable<ReturnType<typeof notify>>

/** What features read of them, by their names. */
const ownSettings = Object.keys(ownOfFeatures) as (keyof typeof ownOfFeatures)[]

export function serverSettings(reader: Reader) {
  const { get, isSet } = reader
  const rateLimit = get('RATE_LIMIT')
  const [port, host] = [get('METRICS_PORT'), get('METRICS_HOST')]
  return {
    ...storeSettings(reader),
    ...addressSettings(reader),
    host: get('HOST'),
    confirmation: confirmation(reader),
    features: checkedFeatures(reader),
    notify: notify(reader),
    events: events(reader),
    trustProxy: get('TRUST_PROXY'),
    logLevel: get('LOG_LEVEL'),
    visits: get('VISITS'),
    metrics: port === 'off' ? null : { port, host },
    rateLimit,
    // An operator who turned off the limit a minute meant no limit at all.
    rateLimitDay: rateLimit === 0 && !isSet('RATE_LIMIT_DAY') ? 0 : get('RATE_LIMIT_DAY'),
    ofFeatures: Object.fromEntries(ownSettings.map((name) => [name, get(name)])) as {
      readonly [N in keyof typeof ownOfFeatures]: SettingValue<N>
    },
  }
}

/** The store of the subscribers, for the server and the operator's tools. */
export function storeSettings({ get }: Reader) {
  const projectId = get('GOOGLE_CLOUD_PROJECT') ?? undefined
  const isOnFirebase = projectId !== undefined || get('GOOGLE_APPLICATION_CREDENTIALS') !== null
  return {
    dataDir: get('DATA_DIR'),
    /** Where visitors of a page on Firebase write, with its project if the credentials name none. */
    inbox: isOnFirebase ? { projectId } : undefined,
    linkKey: get('LINK_KEY'),
  }
}

/** The server's own address and its public one. */
export const addressSettings = ({ get }: Reader) => ({
  port: get('PORT'),
  publicUrl: get('PUBLIC_URL'),
})

/** What the page is built for. */
export const buildSettings = (reader: Reader) => ({
  publicUrl: reader.get('PUBLIC_URL'),
  confirm: reader.get('CONFIRM'),
  features: checkedFeatures(reader),
})

/** The same on a static host. */
export const hostedSettings = (reader: Reader): BuildSettings => ({
  publicUrl: reader.get('PUBLIC_URL'),
  confirm: reader.get('CONFIRM'),
  features: checkedFeatures(reader, true),
})

/** How visitors are asked to confirm; `null` where they are not. */
function confirmation(reader: Reader) {
  if (!reader.get('CONFIRM')) return null
  privateUrl(
    reader,
    (is) => `is ${is}, must begin with https:// for CONFIRM=on, since letters link to it`,
  )
  // Whether receipts have client addresses.
  return { ...sender(reader, 'CONFIRM=on'), isIpKept: reader.get('CONSENT_IP') }
}

/** Which features are on, by their names. */
export const featuresOn = (reader: Reader): FeaturesOn =>
  Object.fromEntries(
    // The founder's file may be wrong, and nothing but its mistakes is told then.
    rules.map(({ name, isOn }) => [name, isOn?.(reader as SettingReader, Object(product)) ?? true]),
  )

/** The same, with the mistakes of what cannot be on. @param isHosted on a static host. */
function checkedFeatures(reader: Reader, isHosted = false): FeaturesOn {
  const on = featuresOn(reader)
  for (const { name, wrong } of rules) {
    const mistake = on[name] ? wrong?.(reader as SettingReader, isHosted) : undefined
    if (mistake !== undefined) reader.mistake(mistake)
  }
  return on
}

export type FeaturesOn = Readonly<Record<string, boolean>>

/** The address of the page, that nobody reads on the way what is sent there. */
function privateUrl({ get, isSet, mistake }: Reader, wrong: (is: string) => string): string {
  const url = get('PUBLIC_URL')
  // One that is no address has a mistake of its own.
  if (url === null ? !isSet('PUBLIC_URL') : !isPrivate(url))
    mistake(`PUBLIC_URL: ${wrong(url === null ? 'not set' : `"${url}"`)}`)
  return url ?? ''
}

const sender = ({ need }: Reader, use: string) => ({
  smtpUrl: need('SMTP_URL', `${use}, since somebody has to send its letters`),
  mailFrom: need('MAIL_FROM', `${use}, since its letters need a sender`),
})

/** The settings of `announce`. */
export const mailSettings = (reader: Reader) => ({
  smtpUrl: reader.need('SMTP_URL'),
  unsubscribeUrl: unsubscribeUrl(reader),
})

/** The same for `check-mail`, which says itself what is missing. */
export const mailCheckSettings = (reader: Reader) => ({
  smtpUrl: reader.get('SMTP_URL') ?? undefined,
  mailFrom: reader.get('MAIL_FROM') ?? undefined,
  unsubscribeUrl:
    reader.isSet('UNSUBSCRIBE_URL') || reader.isSet('PUBLIC_URL')
      ? unsubscribeUrl(reader)
      : undefined,
})

/** Where unsubscribe links lead, without a slash at the end. */
function unsubscribeUrl(reader: Reader): string {
  if (reader.isSet('UNSUBSCRIBE_URL')) return reader.get('UNSUBSCRIBE_URL') ?? ''
  const rule =
    'must be the https address of the page, where unsubscribe links lead; if they lead elsewhere, set UNSUBSCRIBE_URL'
  return privateUrl(reader, () => rule) + paths.unsubscribe
}

/** The settings of `backup` and `restore`. */
export const backupSettings = ({ get }: Reader) => ({
  to: get('BACKUP_TO') ?? undefined,
  passphrase: get('BACKUP_PASSPHRASE') ?? undefined,
  sealKey: get('BACKUP_SEAL_KEY') ?? undefined,
})

/** What the desk reads beside the server's: the page of a letter says what of its mail is missing. */
export function deskSettings(env?: Environment) {
  const quietly = <T>(use: (reader: Reader) => T) => {
    const read = readSettings(use, env)
    return 'settings' in read ? read.settings : null
  }
  const orNull = <N extends SettingName>(name: N) => quietly(({ get }) => get(name))
  const mail = readSettings(mailSettings, env)
  return {
    confirm: orNull('CONFIRM') ?? false,
    features: quietly(featuresOn) ?? {},
    get: orNull as Reader['get'],
    smtpUrl: orNull('SMTP_URL'),
    mailFrom: orNull('MAIL_FROM'),
    mail: 'settings' in mail ? mail.settings : undefined,
    missing: 'mistakes' in mail ? mail.mistakes : [],
  }
}

/** The places where the operator gets notices, and when; `null` where no place is set. */
function notify(reader: Reader) {
  const { get, isSet, mistake } = reader
  const [hooks, to] = [get('NOTIFY_URL'), get('NOTIFY_MAIL')]
  if (!isSet('NOTIFY_URL') && !isSet('NOTIFY_MAIL')) {
    const others = ['NOTIFY_SECRET', 'NOTIFY_AT'] as const
    for (const name of others.filter(isSet))
      mistake(`${name}: is set, but neither NOTIFY_URL nor NOTIFY_MAIL is, so nobody would be told`)
    return null
  }
  const [secrets, dayEndsAt] = [get('NOTIFY_SECRET'), get('NOTIFY_AT')]
  if (hooks?.some(({ kind }) => kind === 'webhook'))
    reader.need('NOTIFY_SECRET', 'a NOTIFY_URL that is neither Slack nor Discord')
  return {
    hooks: hooks ?? [],
    secrets: secrets ?? [],
    mail: isSet('NOTIFY_MAIL') ? { to: to ?? '', ...sender(reader, 'NOTIFY_MAIL') } : undefined,
    // Left out for no summaries.
    dayEndsAt: dayEndsAt === 'off' ? undefined : dayEndsAt,
  }
}

/** What `notify` reads. */
export function notifySettings(reader: Reader): NotifySettings {
  const settings = notify(reader)
  if (!settings)
    reader.mistake(
      'NOTIFY_URL: is not set, and neither is NOTIFY_MAIL, so nobody is told of anything',
    )
  return settings as NotifySettings
}

/** Where events about people go, and which; `null` where none of them is set. */
function events({ need, isSet }: Reader) {
  if (!(['EVENTS_URL', 'EVENTS', 'EVENTS_SECRET'] as const).some(isSet)) return null
  return { url: need('EVENTS_URL'), types: need('EVENTS'), secrets: need('EVENTS_SECRET') }
}

/** What `events` reads. */
export function eventSettings(reader: Reader) {
  const settings = events(reader)
  if (!settings) reader.mistake('EVENTS_URL: is not set, so no events are sent: docs/events.md')
  return settings as NonNullable<typeof settings>
}
