import type { AddressIds } from '../../keys/address-id.ts'
import type { UnsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { type Mailer, MailerUnusable } from '../../mail/mailer.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Standings } from '../../store/standing.ts'
import { spokenDuration } from '../duration.ts'
import { checkSenderRecords, type ResolveTxt } from './sender-records.ts'
import { probeUnsubscribe } from './unsubscribe-probe.ts'

export interface PreflightOptions {
  readonly store: Standings
  readonly mailer: Mailer
  readonly ids: AddressIds
  readonly tokens: UnsubscribeTokens
  readonly unsubscribeUrl: string
  /** The sender's. */
  readonly domain: string
  readonly dkimSelector: string | undefined
  readonly resolveTxt: ResolveTxt
  readonly toSend: number
  /** Messages a second. */
  readonly rate: number
}

const LONG_S = 24 * 3600

/** Looks at everything that would spoil an announcement, before anybody is mailed. @throws StoreUnavailable */
export async function preflight(options: PreflightOptions): Promise<Finding[]> {
  const { domain, dkimSelector, resolveTxt } = options
  const [mailServer, unsubscribe, records] = await Promise.all([
    checkMailServer(options),
    checkUnsubscribe(options),
    checkSenderRecords(domain, dkimSelector, resolveTxt),
  ])
  return [mailServer, unsubscribe, ...records, checkTime(options)]
}

async function checkMailServer({ mailer }: PreflightOptions): Promise<Finding> {
  const what = 'Mail server'
  try {
    await mailer.check()
    return { what, verdict: 'fine', detail: 'lets us in' }
  } catch (error) {
    if (!(error instanceof MailerUnusable)) throw error
    return { what, verdict: 'fatal', detail: error.message }
  }
}

async function checkUnsubscribe(options: PreflightOptions): Promise<Finding> {
  const { unsubscribeUrl, store, ids, tokens } = options
  const wrong = await probeUnsubscribe(unsubscribeUrl, store, ids, tokens)
  const detail = wrong ?? `${unsubscribeUrl} works`
  return { what: 'Unsubscribing', verdict: wrong ? 'fatal' : 'fine', detail }
}

function checkTime({ toSend, rate }: PreflightOptions): Finding {
  const seconds = toSend / rate
  const detail = `${toSend.toLocaleString('en')} to send at ${rate} a second: this will take ${spokenDuration(seconds)}`
  return { what: 'Time', verdict: seconds > LONG_S ? 'problem' : 'fine', detail }
}
