import { addressIds } from '../../keys/address-id.ts'
import { messages } from '../../mail/letter/message.ts'
import type { SendOutcome } from '../../mail/mailer.ts'
import type { Finding } from '../../shared/finding.ts'
import { tellsNews } from '../../store/delivery-ledger.ts'
import { lettersThatAsk } from '../../store/letters-that-ask.ts'
import type { Store } from '../../store/store.ts'
import { withCodes } from '../codes.ts'
import { noteEnd } from '../note-end.ts'
import { countRun, keptProspects, type RunCount } from '../outlook.ts'
import { refused } from '../refusal.ts'
import type { RecipientSelection } from '../run-options.ts'
import type { Ready } from '../sending/gate.ts'
import { isKept, parseRate, type Rate, USUAL_RATE } from '../sending/rate.ts'
import { defaultRetryPolicy, type SendingPolicy } from '../sending/retry-policy.ts'
import { type AnnounceEvents, announce, type RunEnd } from '../tell-everyone.ts'
import type { OwnRun } from './as-run.ts'
import {
  type FindingsOptions,
  findings,
  isSameProblem,
  isWrong,
  type May,
  mayGo,
} from './findings.ts'
import { lettersDigest } from './translations.ts'

/** One letter, and how it is to be sent. */
export interface AnnounceJob extends FindingsOptions, Omit<RecipientSelection, 'id'> {
  readonly signal: AbortSignal
  readonly stopShare: number
  /** Of a run that somebody waits for. */
  readonly retryPolicy?: SendingPolicy | undefined
  readonly untilNow?: boolean | undefined
  readonly goOn?: boolean | undefined
  /** Looked at with each later pre-flight. @throws where another list has taken the place of this one */
  readonly mayStillSend?: (() => Promise<void>) | undefined
  /** Whether it goes on in spite of a problem; without it, in spite of none. */
  readonly overrides?: (problem: Finding) => boolean
}

/** What is known before a letter is sent. */
export interface Ahead {
  readonly selection: RecipientSelection
  readonly found: readonly Finding[]
  readonly may: May
  /** `undefined` for a test. */
  readonly count: RunCount | undefined
}

/** Tells the operator of a run while it goes on. */
export interface Voice {
  /** What a later look found, after letters were sent. */
  found(found: readonly Finding[], may: May): void
  readonly run: AnnounceEvents
}

/**
 * Counts the recipients of a letter, and runs the pre-flight.
 *
 * @param job `isTest` for a letter to one address, which is not counted. @throws Refused,
 *   StoreUnavailable
 */
export async function lookAhead(
  store: Store,
  job: AnnounceJob & { readonly isTest?: boolean },
): Promise<Ahead> {
  const { id } = job.letterFile
  const { includeNew, retry, first, alsoWhoGot, leavesOut, silentSince, referred } = job
  const selection = { id, includeNew, retry, first, alsoWhoGot, leavesOut, silentSince, referred }
  const isBegun = await store.ledger.findAnnouncement(id)
  if (retry && !isBegun) throw refused({ code: 'nothing-to-retry', id })
  for (const { name, option } of tellsNews(id) && !isBegun ? lettersThatAsk : [])
    if (await store.ledger.findAnnouncement(`${name}-${id}`))
      throw refused({ code: 'letter-asks', id, option })
  for (const name of alsoWhoGot && alsoWhoGot !== 'all' ? alsoWhoGot : [])
    if (!(await store.ledger.findAnnouncement(name)))
      throw refused({ code: 'no-such-announcement', id: name })

  const kept = job.dryRun ? keptProspects() : undefined
  const count = job.isTest ? undefined : await countRun(store, selection, kept)
  const found = await findings(store, job, selection, count)
  const { overrides = () => false } = job
  return { selection, found, may: mayGo(found, overrides), count }
}

/**
 * The rate at which a letter goes: the one that is asked for, else the one by which it went before.
 *
 * @throws StoreUnavailable
 */
export async function rateOf(
  { lock }: Pick<Store, 'lock'>,
  id: string,
  wanted: Rate | undefined,
): Promise<Rate> {
  const kept = wanted ? undefined : (await lock.run(id))?.notes
  return wanted ?? parseRate(kept?.rate ?? '') ?? USUAL_RATE
}

/** What came of a test; with the language of the letter, where there are several. */
export interface TestSent {
  readonly language: string | undefined
  readonly outcome: SendOutcome
}

/** Sends a test in each language of the letter. None is counted. @throws Refused, StoreUnavailable */
export async function sendTest(job: AnnounceJob, email: string): Promise<TestSent[]> {
  const { letterFile, languages } = job
  const addressId = addressIds(job.linkKey).of(email)
  const sent: TestSent[] = []
  for (const code of [languages[0].code, ...letterFile.translations.map((one) => one.code)]) {
    // With an id of its own: many mailboxes show only one of two messages with the same Message-ID.
    const make = messageMaker(job, `${letterFile.id} test ${Date.now()} ${code}`)
    const letter = await withCodes(job, make, true)
    const made = await letter({ addressId, email, language: code })
    const message = 'to' in made ? made : made.message
    sent.push({ language: message.language, outcome: await job.mailer.send(message) })
  }
  return sent
}

/**
 * Notes that the pre-flight does not let an announcement go on that was begun: an operator who starts
 * the command by a timer or as a service does not see that. @throws StoreUnavailable
 */
export async function noteStopped(
  store: Store,
  { selection: { id }, count }: Ahead,
): Promise<void> {
  if (!count?.toSend || !(await store.ledger.findAnnouncement(id))) return
  await noteEnd(store.notices, id, { why: 'unready' })
}

/**
 * Sends the letter to everyone once, after a pre-flight that allows it.
 *
 * @throws Refused, LockLost, StoreUnavailable
 */
export async function sendToAll(
  store: Store,
  job: AnnounceJob,
  run: OwnRun,
  { selection, found, count }: Ahead,
  voice: Voice,
): Promise<RunEnd> {
  const { letterFile, mailer, rate, stopShare, signal, untilNow, goOn } = job
  const { letter, id } = letterFile
  return announce({
    ...selection,
    store,
    mailer,
    run,
    rate,
    stopShare,
    signal,
    untilNow,
    goOn,
    ready: readyBy(found),
    readyAgain: () => checkAgain(store, job, selection, found, { run, voice }),
    message: await withCodes(job, messageMaker(job, id)),
    letter: { subject: letter.subject, digest: lettersDigest(letterFile) },
    retryPolicy: isKept(rate) ? defaultRetryPolicy : job.retryPolicy,
    toSend: count?.toSend,
    letters: count?.letters,
    on: voice.run,
  })
}

/** What a pre-flight that lets letters leave says of them. */
export const readyBy = (found: readonly Finding[]): Ready => ({
  isOpen: found.some(({ code }) => code === 'page-open'),
})

/**
 * The pre-flight before a later letter. `--force` overrides only the problems that were found when
 * the operator gave it.
 *
 * @param before the findings at the start. @returns what it came to, if sending is allowed.
 */
async function checkAgain(
  store: Store,
  job: AnnounceJob,
  selection: RecipientSelection,
  before: readonly Finding[],
  { run, voice }: { readonly run: OwnRun; readonly voice: Voice },
): Promise<Ready | undefined> {
  await job.mayStillSend?.()
  const found = await findings(store, job, selection, await countRun(store, selection))
  const wasSeen = (problem: Finding) =>
    before.some((one) => one.verdict === 'problem' && isSameProblem(one, problem))
  const may = mayGo(found, wasSeen)
  run.keep({ found: found.filter(isWrong) })
  voice.found(found, may)
  return may === 'go' || may === 'forced' ? readyBy(found) : undefined
}

function messageMaker(job: AnnounceJob, announcement: string) {
  const { letterFile, product, languages, linkKey, unsubscribeUrl } = job
  const { letter, translations, logo } = letterFile
  const of = { letter, translations, product, languages }
  return messages({ ...of, logo, linkKey, unsubscribeUrl, announcement })
}
