import { resolveTxt } from 'node:dns/promises'
import { leftOutFound } from '../../announcement/earlier.ts'
import { countRun, keptProspects, type RunCount } from '../../announcement/outlook.ts'
import { refused } from '../../announcement/refusal.ts'
import { rateOf, readyBy } from '../../announcement/run/announce-job.ts'
import { asRun } from '../../announcement/run/as-run.ts'
import { newHolder } from '../../announcement/run/dead-run.ts'
import { mayGo } from '../../announcement/run/findings.ts'
import type { RecipientSelection } from '../../announcement/run-options.ts'
import type { Rate } from '../../announcement/sending/rate.ts'
import { foregroundPolicy } from '../../announcement/sending/retry-policy.ts'
import { checkTime } from '../../announcement/sending/speed.ts'
import { announce } from '../../announcement/tell-everyone.ts'
import { confirmationCounts } from '../../audience/confirmation-counts.ts'
import { look } from '../../checks/check.ts'
import { probeConfirm } from '../../checks/links.ts'
import { beforeLetters, mailChecks } from '../../checks/mail.ts'
import type { ResolveTxt } from '../../checks/sender.ts'
import { askSettings } from '../../config/programs.ts'
import { addressIds } from '../../keys/address-id.ts'
import { confirmationKeys } from '../../keys/confirmation-keys.ts'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { smtpMailer } from '../../mail/smtp-mailer.ts'
import { consentIn } from '../../people/pending.ts'
import { languagesOf } from '../../product/languages.ts'
import product from '../../product/product.ts'
import { reportOfAhead } from '../../report/makers/ahead.ts'
import { askedLaterFigure } from '../../report/makers/confirmations.ts'
import { confirmPath, urlIn } from '../../shared/api.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Product, ProductLanguages } from '../../shared/product.ts'
import { asking } from '../../sign-up/ask.ts'
import { type ConfirmationLetter, confirmationLetter } from '../../sign-up/confirmation-letter.ts'
import { ASK } from '../../store/delivery-ledger.ts'
import type { Store } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { overriddenBy } from '../announce/overrides.ts'
import { reportEnd } from '../announce/report.ts'
import type { SendingArguments } from '../announce/sending-options.ts'
import { sayBeside, sendingProgress } from '../announce/voice.ts'
import { runWithStore, settingsOf } from '../run.ts'
import { listRecipients, sayDry, sayTest } from './announce.ts'

export interface LetterOptions {
  readonly product: Product
  readonly languages: ProductLanguages
  readonly mailFrom: string
  /** The page's origin, without a slash at the end. */
  readonly publicUrl: string
  readonly unsubscribeUrl: string
  readonly linkKey: Buffer
}

export interface AskCommandOptions extends LetterOptions, Omit<SendingArguments, 'dnsServer'> {
  readonly mailer: Mailer
  readonly resolveTxt: ResolveTxt
  readonly signal: AbortSignal
}

const leavesOut: RecipientSelection['leavesOut'] = ({ extra }) =>
  consentIn(extra) ? 'confirmed' : undefined

const seen = { command: 'ask' }

/** `ask`: runs the pre-flight, then asks each subscriber once who has not confirmed. */
export async function ask(store: Store, options: AskCommandOptions, out: Out): Promise<number> {
  const { includeNew, retry, first, dryRun, to, product, languages } = options
  const email = to === undefined ? undefined : readEmail(to)
  const selection: RecipientSelection = { id: ASK, includeNew, retry, first, leavesOut }
  if (retry && !(await store.ledger.findAnnouncement(ASK)))
    throw refused({ code: 'nothing-to-retry', id: ASK })

  const ahead = await countRun(store, selection, dryRun ? keptProspects() : undefined)
  const rate = await rateOf(store, ASK, options.rate)
  const found = await findingsOf(store, { ...options, rate }, ahead)
  const may = mayGo(found, overriddenBy(options))
  if (dryRun) {
    await listRecipients(store, selection, ahead, options, out)
    return sayDry({ found, may, seen, count: ahead }, options, out)
  }
  sayBeside(reportOfAhead({ found, may, seen }), out)
  if (may === 'fatal' || may === 'problem') return exitCodes.failed
  const letter = letterFor(options)
  if (email !== undefined) {
    const addressId = addressIds(options.linkKey).of(email)
    return sayTest(await options.mailer.send(sample(letter)({ addressId, email })), email, out)
  }

  const { mailer, stopShare, goOn, signal } = options
  const { subject, digest } = sample(letter, new Date(0))(nobody)
  const how = {
    ...selection,
    store,
    toSend: ahead.toSend,
    on: sendingProgress(out),
    mailer,
    rate,
    ready: readyBy(found),
    stopShare,
    goOn,
    signal,
    retryPolicy: foregroundPolicy,
    message: asking({ list: store.list, requests: store.requests, product, languages, letter }),
    letter: { subject, digest },
  }
  const begin = { ...newHolder(), announcement: ASK, signal }
  const end = await asRun(store.lock, begin, (run) => announce({ ...how, run }))
  const more = [askedLaterFigure((await confirmationCounts(store))?.listed)]
  return reportEnd(store, end, { ...options, seen, leavesOut, more }, out)
}

/** `ask --preview`: the letter as an HTML page, as a new subscriber gets it. */
export async function previewRequest(options: LetterOptions, out: Out): Promise<number> {
  await out.write(sample(letterFor(options))(nobody).html)
  return exitCodes.done
}

const nobody: Recipient = { addressId: '', email: '' }

/** The letter for a reader who is not asked: its link has ended, and its code does nothing. */
function sample(letter: ConfirmationLetter, askedAt = new Date()) {
  const shown = { words: '', page: '', language: '' }
  return ({ addressId, email }: Recipient) =>
    letter(addressId, { email, askedAt, listedAt: askedAt, shown, letters: 0 })
}

function letterFor({ mailFrom, publicUrl, ...options }: LetterOptions) {
  const confirmUrl = publicUrl + confirmPath
  return confirmationLetter({ ...options, from: mailFrom, confirmUrl })
}

/** The findings of the pre-flight. */
async function findingsOf(
  store: Store,
  options: AskCommandOptions & { readonly rate: Rate },
  ahead: RunCount,
): Promise<Finding[]> {
  const { linkKey, languages, publicUrl, to } = options
  const { outsideAscii } = ahead
  const findings = await look(
    mailChecks,
    { ...options, id: ASK, store, outsideAscii },
    beforeLetters,
  )
  findings.push(checkTime(findings, { ...options, toSend: to === undefined ? ahead.toSend : 1 }))
  // The probe stores a row under our key, so the unsubscribe link must have shown that the server
  // has it.
  const isFatal = findings.some(({ verdict }) => verdict === 'fatal')
  const confirming: Finding[] = []
  for (const { path } of isFatal ? [] : languages) {
    const url = urlIn(publicUrl + confirmPath, path)
    const keys = confirmationKeys(linkKey)
    confirming.push(await probeConfirm(url, store.requests, addressIds(linkKey), keys))
  }
  return [...findings, ...confirming, ...leftOutFound(ahead.leftOut)]
}

export async function fromCommandLine(options: SendingArguments): Promise<void> {
  const { smtpUrl, mailFrom, publicUrl, unsubscribeUrl } = settingsOf(askSettings)
  const languages = languagesOf(product)
  const letter = { product, languages, mailFrom, publicUrl, unsubscribeUrl }
  const { dnsServer = resolveTxt, ...others } = options
  const mailer = smtpMailer({ url: smtpUrl })
  const given = { ...others, ...letter, mailer, resolveTxt: dnsServer }
  const signal = stopSignal(process, console.error)
  const how = { ...options, takesIn: options.preview ? undefined : ('must' as const) }
  await runWithStore(how, (store, out, { linkKey }) =>
    options.preview
      ? previewRequest({ ...letter, linkKey }, out)
      : ask(store, { ...given, signal, linkKey }, out),
  ).finally(mailer.close)
}
