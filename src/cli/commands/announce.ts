import { resolveTxt } from 'node:dns/promises'
import { type Reader, type RunCount, recipients } from '../../announcement/outlook.ts'
import {
  type Ahead,
  type AnnounceJob,
  lookAhead,
  noteStopped,
  rateOf,
  sendTest,
  sendToAll,
} from '../../announcement/run/announce-job.ts'
import { asRun, type OwnRun } from '../../announcement/run/as-run.ts'
import { isInterrupted, lastRun, newHolder } from '../../announcement/run/dead-run.ts'
import { isWrong, type May } from '../../announcement/run/findings.ts'
import { readLetterFile } from '../../announcement/run/letter-file.ts'
import type { RecipientSelection } from '../../announcement/run-options.ts'
import { isKept, paceInWords, type Rate } from '../../announcement/sending/rate.ts'
import { foregroundPolicy } from '../../announcement/sending/retry-policy.ts'
import type { ResolveTxt } from '../../checks/sender.ts'
import { mailSettings } from '../../config/programs.ts'
import { codesBy, features } from '../../features/all.ts'
import { insteadOfName } from '../../mail/letter/first-name.ts'
import type { SendOutcome } from '../../mail/mailer.ts'
import { senderAddress } from '../../mail/sender.ts'
import { smtpMailer } from '../../mail/smtp-mailer.ts'
import { productFolder } from '../../product/folders.mjs'
import { languagesOf } from '../../product/languages.ts'
import product from '../../product/product.ts'
import { type AheadFound, reportOfAhead } from '../../report/makers/ahead.ts'
import type { LetterSeen } from '../../report/makers/finding.ts'
import { paths } from '../../shared/api.ts'
import type { LetterThatAsks } from '../../shared/feature-rules.ts'
import { silentBefore } from '../../shared/heard-nothing.ts'
import { shellWord } from '../../shared/shell-word.ts'
import type { LeftOut } from '../../store/delivery-ledger.ts'
import { lettersThatAsk } from '../../store/letters-that-ask.ts'
import type { Run } from '../../store/run.ts'
import type { Store } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { faultText } from '../../terminal/fault-text.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { inPieces } from '../../terminal/pieces.ts'
import { answerInWords } from '../../terminal/standing-words.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { counted, grouped } from '../../terminal/words.ts'
import { type Overrides, overriddenBy } from '../announce/overrides.ts'
import { previewLetter } from '../announce/preview-letter.ts'
import { reportEnd } from '../announce/report.ts'
import { sayBeside, terminalVoice } from '../announce/voice.ts'
import { answerMeant } from '../answer-meant.ts'
import { stillTakesIn } from '../collect-first.ts'
import { orderOf, partsOf } from '../features.ts'
import { run, runWithStore, setting, settingsOf } from '../run.ts'

/** The options of `announce`, as the command line gives them. */
interface AnnounceArguments
  extends Overrides,
    Pick<RecipientSelection, 'includeNew' | 'retry' | 'first'> {
  readonly preview?: boolean
  readonly dryRun?: boolean
  readonly to?: string
  /** Left out for the rate by which it was sent before. */
  readonly rate?: Rate
  readonly stopShare: number
  readonly goOn?: boolean
  readonly dkimSelector?: string
  readonly dnsServer?: ResolveTxt
  readonly json?: boolean
  /** Also what is zero or good. */
  readonly all?: boolean
  readonly output?: string
  readonly list?: boolean
  readonly untilNow?: boolean
  readonly alsoWhoGot?: readonly string[]
  /** `sign-up`, or a feature that has an order. */
  readonly order?: string
  readonly answered?: string
  readonly run?: string
  readonly test?: boolean
  readonly language?: string
}

export async function fromCommandLine(options: AnnounceArguments, file: string): Promise<void> {
  const { preview, language } = options
  if (language !== undefined && !preview) throw new Misuse('--language needs --preview.')
  const sender = setting('MAIL_FROM') ?? (preview ? ANY_SENDER : '')
  const languages = languagesOf(product)
  const asks = askedIn(options)
  const letterFile = await readLetterFile(file, sender, languages, productFolder, asks)
  const { from, replyTo } = letterFile.letter
  if (preview)
    return run(options, async (out) => {
      const code = await previewLetter(letterFile, languages, language, out)
      if (options.output) out.say(`The letter as an HTML page: ${options.output}`)
      return code
    })
  const { smtpUrl, unsubscribeUrl } = settingsOf(mailSettings)
  if (asks && !unsubscribeUrl.endsWith(paths.unsubscribe))
    throw new OperatorError(
      `UNSUBSCRIBE_URL: must end in ${paths.unsubscribe} for a letter that asks: the address of the page for the answer is made from it.`,
    )
  const mailer = smtpMailer({ url: smtpUrl })
  const { dnsServer = resolveTxt, test, answered, order, alsoWhoGot, ...others } = options
  // Before the pre-flight, which takes a while.
  const named = options.to === undefined ? undefined : readEmail(options.to)
  const to = test ? senderAddress(replyTo ?? from) : named
  const publicUrl = setting('PUBLIC_URL') ?? undefined
  const given = {
    ...others,
    overrides: overriddenBy(options),
    ...(!options.run && { retryPolicy: foregroundPolicy }),
    ...(to !== undefined && { to }),
    ...(asks?.isToTheSilent && { silentSince: silentBefore(new Date()) }),
    leavesOut: leavingOut(options),
    ...(alsoWhoGot && { alsoWhoGot: alsoWhoGot.includes('all') ? ('all' as const) : alsoWhoGot }),
    letterFile,
    seen: { command: commandOf(asks, file) },
    product,
    languages,
    unsubscribeUrl,
    publicUrl,
    mailer,
    resolveTxt: dnsServer,
    signal: stopSignal(process, console.error),
  }
  // Also a run that goes on: a list that another one took over from sends no more.
  const takesIn = to === undefined ? ('must' as const) : undefined
  const how = { ...options, looks: true, takesIn }
  await runWithStore(how, async (store, out, { linkKey, dataDir, collector }) => {
    const opened = { store, linkKey, dataDir }
    const first = features.find(({ rules }) => rules.name === order)
    const referred = first && (await orderOf(first, opened))
    const rate = await rateOf(store, letterFile.id, options.rate)
    const mayStillSend = collector && (() => stillTakesIn(collector))
    const codes = () => codesBy((feature) => partsOf(feature, opened))
    const found = { rate, referred, linkKey, codes, mayStillSend }
    return announceLetter(store, { ...given, ...found }, out)
  }).finally(mailer.close)
}

/** What the letter asks, by its option. @throws OperatorError where the product has no words for that */
function askedIn(options: object): LetterThatAsks | undefined {
  const given = options as Readonly<Record<string, unknown>>
  const asks = lettersThatAsk.find((one) => given[one.given])
  const { option, textOf, without } = asks ?? {}
  if (textOf && !textOf(product)) throw new OperatorError(`${option}: ${without}`)
  return asks
}

/** The command by which the same letter is sent. */
const commandOf = (asks: LetterThatAsks | undefined, file: string) =>
  [`announce ${shellWord(file)}`, ...(asks ? [asks.option] : [])].join(' ')

function leavingOut(options: AnnounceArguments): RecipientSelection['leavesOut'] {
  const { answered } = options
  const isMeant = answered === undefined ? undefined : answerMeant(answered)
  const byFeatures = features.flatMap(({ rules }) => rules.leavesOut?.({ ...options }) ?? [])
  if (byFeatures.length === 0 && !isMeant) return undefined
  return ({ extra }) => {
    if (isMeant && !isMeant(extra)) return 'answer'
    for (const leavesOut of byFeatures) {
      const why = leavesOut(extra)
      if (why !== undefined) return why as LeftOut
    }
    return undefined
  }
}

/** A preview shows none, so a letter that has none yet can be looked at. */
const ANY_SENDER = 'sender@example.invalid'

type AnnounceOptions = AnnounceJob &
  Omit<AnnounceArguments, keyof AnnounceJob | 'dnsServer'> & { readonly seen: LetterSeen }

/** Runs the pre-flight, then sends the letter to everyone once. @returns the exit code */
async function announceLetter(store: Store, job: AnnounceOptions, out: Out): Promise<number> {
  const { to, dryRun, signal } = job
  const { id: announcement } = job.letterFile
  if (dryRun) return dryAnnounce(store, job, out)
  if (to !== undefined) return testLetter(store, job, to, out)
  const last = await lastRun(store.lock, announcement)
  const isBegun = last !== undefined && last.owner === job.run
  if (!isBegun && isInterrupted(last))
    out.say('The last run was interrupted. This one goes on where it ended.')
  const begin = {
    ...newHolder(),
    announcement,
    notes: isBegun ? stageBegun(last) : { stage: stageOf(job) },
    insteadOf: job.run,
    signal,
    faultText: wordsOfFault,
  }
  return asRun(store.lock, begin, (run) => sendLetter(store, job, run, out))
}

const stageBegun = ({ notes: { stage, isFromDesk } }: Run) => ({ stage, isFromDesk })

/** What the desk calls this run, where it would be for the same people. */
function stageOf({ retry, first, includeNew, leavesOut, silentSince }: AnnounceOptions) {
  if (first || leavesOut || silentSince) return undefined
  return retry ?? (includeNew ? 'newcomers' : 'everyone')
}

const wordsOfFault = (error: unknown) =>
  error instanceof OperatorError || error instanceof StoreUnavailable
    ? error.message
    : faultText(error)

async function sendLetter(
  store: Store,
  job: AnnounceOptions,
  run: OwnRun,
  out: Out,
): Promise<number> {
  const ahead = await lookAhead(store, job)
  const { found, may, count } = ahead
  run.keep({ found: found.filter(isWrong) })
  if (!mayGoOn(may) && count?.toSend === 0) {
    const { letters } = count
    const isStageDone = letters > 0 && !job.retry
    const why = found.filter(({ code }) => code === 'left-out' || code === 'earlier')
    if (!isStageDone && !job.retry)
      sayBeside(reportOfAhead({ found: why, may: 'go', seen: job.seen }), out)
    out.say(
      isStageDone
        ? `This stage is done. Without --first, the same command goes on with ${grouped(letters)} more.`
        : 'Nobody is left to send it to.',
    )
    return exitCodes.done
  }
  sayAhead(ahead, job, out)
  if (!mayGoOn(may)) {
    run.keep({ end: { why: may, answer: '' } })
    await noteStopped(store, ahead)
    return exitCodes.failed
  }
  const end = await sendToAll(store, job, run, ahead, terminalVoice(job.seen, out))
  return reportEnd(store, end, job, out)
}

const mayGoOn = (may: May): may is 'go' | 'forced' => may === 'go' || may === 'forced'

function sayAhead({ found, may, count }: Ahead, { rate, seen }: AnnounceOptions, out: Out) {
  sayBeside(reportOfAhead({ found, may, seen }), out)
  if (count && count.toSend > 0 && isKept(rate))
    out.say(`${paceInWords(rate, count.toSend, new Date())}.`)
}

async function testLetter(
  store: Store,
  job: AnnounceOptions,
  to: string,
  out: Out,
): Promise<number> {
  const ahead = await lookAhead(store, { ...job, isTest: true })
  sayAhead(ahead, job, out)
  if (!mayGoOn(ahead.may)) return exitCodes.failed
  for (const { language, outcome } of await sendTest(job, to)) sayTest(outcome, to, out, language)
  return exitCodes.done
}

async function dryAnnounce(store: Store, job: AnnounceOptions, out: Out): Promise<number> {
  const { to, seen, letterFile } = job
  const ahead = await lookAhead(store, { ...job, isTest: to !== undefined })
  const { found, may, count, selection } = ahead
  const letters = [letterFile, ...letterFile.translations].map((one) => one.letter)
  const texts = letters.map(({ subject, markdown }) => `${subject}\n${markdown}`)
  const instead = insteadOfName(texts.join('\n'))
  let people = 0
  const onReader = ({ firstName }: Reader) => {
    if (firstName) people += 1
  }
  if (count) await listRecipients(store, selection, count, { ...job, onReader }, out)
  const names = instead.length > 0 ? { people, instead } : undefined
  return sayDry({ found, may, seen, count, names }, job, out)
}

/** The end of a dry run. @returns the exit code. */
export function sayDry(ahead: AheadFound, { all }: Pick<AnnounceArguments, 'all'>, out: Out) {
  sayBeside(reportOfAhead(ahead), out, all)
  out.say('Nothing was sent.')
  return mayGoOn(ahead.may) ? exitCodes.done : exitCodes.failed
}

/** Says what came of a test. @throws OperatorError when it was not accepted */
function sayTest(
  { kind, answer }: SendOutcome,
  email: string,
  out: Out,
  language?: string | undefined,
): number {
  const test = language ? `test in ${language}` : 'test'
  if (kind !== 'accepted')
    throw new OperatorError(`The ${test} was not accepted (${kind}): ${answerInWords(answer)}`)
  out.say(`A ${test} is on its way to ${email}: ${answer}`)
  return exitCodes.done
}

const SAID_EVERY = 500

interface RecipientOptions {
  readonly json?: boolean | undefined
  /** Whether they are listed; by default they are. */
  readonly list?: boolean | undefined
  readonly onReader?: (reader: Reader) => void
}

/** Writes who would get a letter. @throws StoreUnavailable */
export async function listRecipients(
  store: Store,
  selection: RecipientSelection,
  count: RunCount,
  { json, list = true, onReader }: RecipientOptions,
  out: Out,
): Promise<void> {
  const pieces = inPieces(out)
  let written = 0
  for await (const page of recipients(store, selection, count))
    for (const reader of page) {
      written += 1
      onReader?.(reader)
      const full = list && (json ? pieces.json(reader) : pieces.line(reader.email))
      if (full) await full
      // V8 keeps the text of each number for a while, and takes more memory for what lives.
      if (written % SAID_EVERY === 0) out.progress(`${counted(written, 'recipient')} so far`)
    }
  await pieces.end()
}
