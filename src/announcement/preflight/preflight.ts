import type { AddressIds } from '../../keys/address-id.ts'
import type { LinkTokens } from '../../keys/unsubscribe-token.ts'
import { type Mailer, MailerUnusable } from '../../mail/mailer.ts'
import { urlIn } from '../../shared/api.ts'
import type { Found } from '../../shared/found.ts'
import type { ProductLanguage } from '../../shared/product.ts'
import type { Store } from '../../store/store.ts'
import type { Rate } from '../sending/rate.ts'
import { checkTime } from '../sending/speed.ts'
import { probeUnsubscribe } from './link-probes.ts'
import { checkSenderRecords, type ResolveTxt } from './sender-records.ts'

export interface PreflightOptions {
  readonly store: Store
  readonly mailer: Mailer
  readonly ids: AddressIds
  readonly tokens: LinkTokens
  readonly unsubscribeUrl: string
  /** Those that links of letters lead to pages in; left out, there is one. */
  readonly languages?: readonly Pick<ProductLanguage, 'path'>[] | undefined
  /** The sender's. */
  readonly domain: string
  readonly dkimSelector: string | undefined
  readonly resolveTxt: ResolveTxt
  readonly toSend: number
  /** How many of them have a local part outside ASCII. */
  readonly outsideAscii?: number | undefined
  readonly rate: Rate
}

/**
 * Checks everything that could spoil an announcement, before a letter is sent. @throws
 * StoreUnavailable
 */
export async function preflight(options: PreflightOptions): Promise<Found[]> {
  const { domain, dkimSelector, resolveTxt, toSend, rate } = options
  // Measured alone, since other requests would slow it.
  const ms = await timed(() => options.store.checkWritable())
  const [mail, unsubscribe, records] = await Promise.all([
    checkMailServer(options.mailer),
    probeEachUnsubscribe(options),
    checkSenderRecords(domain, dkimSelector, resolveTxt),
  ])
  return [
    // The operator has to say whether a restored list is right.
    ...((await options.store.hold.get())
      ? [{ code: 'list-on-hold', verdict: 'fatal' } as const]
      : []),
    mail.found,
    ...(mail.isAsciiOnly && options.outsideAscii
      ? [{ code: 'mail-ascii-only', verdict: 'note', people: options.outsideAscii } as const]
      : []),
    { code: 'database', verdict: 'fine', ms },
    ...unsubscribe,
    ...records,
    checkTime({
      toSend,
      rate,
      connections: options.mailer.connections,
      awayMs: mail.roundTripMs,
    }),
  ]
}

/** One after the other: each looks whether its own press arrived. */
async function probeEachUnsubscribe(options: PreflightOptions): Promise<Found[]> {
  const { unsubscribeUrl, languages = [{ path: '' }], store, ids, tokens } = options
  const found: Found[] = []
  for (const url of new Set(languages.map(({ path }) => urlIn(unsubscribeUrl, path))))
    found.push(await probeUnsubscribe(url, store.standings, ids, tokens))
  return found
}

/** Whether the mail server lets us in, and how far away it is. */
export async function checkMailServer(mailer: Mailer) {
  const code = 'mail-server'
  try {
    const { roundTripMs, isAsciiOnly = false } = await mailer.check()
    return { roundTripMs, isAsciiOnly, found: { code, verdict: 'fine' } as const }
  } catch (error) {
    if (!(error instanceof MailerUnusable)) throw error
    return {
      roundTripMs: 0,
      isAsciiOnly: false,
      found: { code, verdict: 'fatal', answer: error.message } as const,
    }
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
