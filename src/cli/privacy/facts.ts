import type { BackupSettings } from '../../config/backup-settings.ts'
import type { ServerSettings } from '../../config/server-settings.ts'
import { SESSION_S } from '../../keys/session-key.ts'
import { isSmtpUrl } from '../../mail/smtp-url.ts'
import type { Product } from '../../shared/product.ts'
import { type Retention, readRetention } from '../../shared/retain.ts'
import { HOLDS_MS } from '../../sign-up/confirmation-lifetime.ts'
import { NOTICE_DAYS } from '../../store/notices.ts'
import { DAYS_BY_HOUR, MOST_DAYS } from '../../store/visits.ts'

const HOUR_S = 3600
const DAY_MS = 86_400_000

/** What is true of the data of visitors and subscribers, with these settings. */
export interface PrivacyFacts {
  readonly name: string
  /** Who is responsible, as the foot of letters has it. */
  readonly sender: string | undefined
  readonly isFirestore: boolean
  readonly sessionHours: number
  /** How long a request to confirm is kept; left out where nobody is asked. */
  readonly requestDays: number | undefined
  readonly isIpKept: boolean
  /** Whether who confirmed gets a personal link. */
  readonly hasReferrals: boolean
  /** What the page asks after a sign-up. */
  readonly question: string | undefined
  readonly visits: ServerSettings['visits']
  readonly daysByHour: number
  readonly visitDays: number
  readonly isLimited: boolean
  readonly isProxied: boolean
  /** Hosts of other sites whose form leads to the list. */
  readonly formHosts: readonly string[]
  /** The mail server; left out where none is set. */
  readonly mailHost: string | undefined
  /** Hosts of the places that get notices with addresses. */
  readonly toldHosts: readonly string[]
  readonly noticeDays: number
  /** Hosts of systems that hear of each sign-up and erasure. */
  readonly eventHosts: readonly string[]
  readonly isToldOfAccounts: boolean
  readonly backup: { readonly isKept: boolean; readonly rule: string | undefined }
  readonly isBackupEncrypted: boolean
  readonly retention: Retention | undefined
}

export interface FactsFrom {
  readonly product: Product
  readonly server: ServerSettings
  readonly backup: BackupSettings
  readonly env: Readonly<Record<string, string | undefined>>
  /** The rule by which the newest copies were made, where the list knows one. */
  readonly keep?: string | undefined
}

/** Takes each fact from the setting or the constant that makes it true. */
export function privacyFacts({ product, server, backup, env, keep }: FactsFrom): PrivacyFacts {
  const { confirmation, notify, events } = server
  const smtpUrl = env.SMTP_URL?.trim() ?? ''
  const areTold = notify?.areAddressesTold === true
  return {
    name: product.name,
    sender: product.postalAddress,
    isFirestore: server.kind === 'firestore',
    sessionHours: SESSION_S / HOUR_S,
    requestDays: confirmation ? HOLDS_MS / DAY_MS : undefined,
    isIpKept: confirmation?.isIpKept === true,
    question: product.question?.ask,
    visits: server.visits,
    daysByHour: DAYS_BY_HOUR,
    visitDays: MOST_DAYS,
    isLimited: server.rateLimit > 0 || server.rateLimitDay > 0,
    isProxied: server.trustProxy.length > 0,
    formHosts: hostsOf(server.embedOrigins),
    mailHost: isSmtpUrl(smtpUrl) ? hostOf(smtpUrl) : undefined,
    toldHosts: areTold ? hostsOf(notify.hooks.map(({ url }) => url)) : [],
    noticeDays: NOTICE_DAYS,
    eventHosts: events ? hostsOf([events.url]) : [],
    hasReferrals: server.referrals,
    isToldOfAccounts: server.accountsKey !== null,
    backup: {
      isKept: backup.to !== undefined || keep !== undefined,
      rule: keep ?? env.BACKUP_KEEP,
    },
    isBackupEncrypted: (backup.recipients.length ?? 0) > 0 || backup.passphrase !== undefined,
    retention: readRetention(product.retain),
  }
}

/** The host alone: the rest of such a URL may be a secret. */
const hostOf = (url: string) => URL.parse(url)?.hostname || undefined

const hostsOf = (urls: readonly string[]) => [...new Set(urls.flatMap((url) => hostOf(url) ?? []))]
