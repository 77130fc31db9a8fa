import type { AddressIds } from '../../keys/address-id.ts'
import type { UnsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { type Mailer, MailerUnusable } from '../../mail/mailer.ts'
import { grouped } from '../../shared/counted.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Store } from '../../store/store.ts'
import { spokenDuration } from '../duration.ts'
import { checkSenderRecords, type ResolveTxt } from './sender-records.ts'
import { roundTripTo, speedOf } from './speed.ts'
import { probeUnsubscribe } from './unsubscribe-probe.ts'

export interface PreflightOptions {
  readonly store: Store
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
  // Alone: what else is asked for meanwhile would be measured with it.
  const store = await roundTripTo(options.store)
  const [mail, unsubscribe, records] = await Promise.all([
    checkMailServer(options),
    checkUnsubscribe(options),
    checkSenderRecords(domain, dkimSelector, resolveTxt),
  ])
  const database = {
    what: 'Database',
    verdict: 'fine',
    detail: `answers in ${spoken(store)}`,
  } as const
  const time = checkTime(options, { store, mailServer: mail.roundTripMs })
  return [...(await checkHold(options)), mail.finding, database, unsubscribe, ...records, time]
}

/** Of a list that came from a copy, the operator says whether it is right. */
async function checkHold({ store }: PreflightOptions): Promise<Finding[]> {
  const hold = await store.listHold()
  if (!hold) return []
  const detail =
    'came from a copy that anybody may have written: look at it, and if it is right, say so with "restore --list-is-right"'
  return [{ what: 'List', verdict: 'fatal', detail }]
}

async function checkMailServer({ mailer }: PreflightOptions) {
  const what = 'Mail server'
  try {
    const { roundTripMs } = await mailer.check()
    return { roundTripMs, finding: { what, verdict: 'fine', detail: 'lets us in' } as const }
  } catch (error) {
    if (!(error instanceof MailerUnusable)) throw error
    return { roundTripMs: 0, finding: { what, verdict: 'fatal', detail: error.message } as const }
  }
}

async function checkUnsubscribe(options: PreflightOptions): Promise<Finding> {
  const { unsubscribeUrl, store, ids, tokens } = options
  const wrong = await probeUnsubscribe(unsubscribeUrl, store, ids, tokens)
  const detail = wrong ?? `${unsubscribeUrl} works`
  return { what: 'Unsubscribing', verdict: wrong ? 'fatal' : 'fine', detail }
}

function checkTime(
  { toSend, rate, store, mailer }: PreflightOptions,
  roundTrip: { store: number; mailServer: number },
): Finding {
  const { connections } = mailer
  const { perSecond, limit } = speedOf({ rate, connections, claiming: store.claiming, roundTrip })
  const seconds = toSend / perSecond
  const away = spoken(limit === 'database' ? roundTrip.store : roundTrip.mailServer)
  const speed =
    limit === 'rate'
      ? `at ${rate} a second, which --rate allows`
      : `at ${inWords(perSecond)} a second, not the ${rate} of --rate, as the ${limit} is ${away} away`
  const detail = `${grouped(toSend)} to send ${speed}: this will take ${spokenDuration(seconds)}`
  return { what: 'Time', verdict: seconds > LONG_S ? 'problem' : 'fine', detail }
}

function spoken(milliseconds: number): string {
  return `${Math.ceil(milliseconds)} ms`
}

/** What is worked out is no more exact than this. */
function inWords(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.floor(perSecond))
}
