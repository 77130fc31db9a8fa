import { addressIds } from '../../keys/address-id.ts'
import { messages } from '../../mail/letter/message.ts'
import type { SendOutcome } from '../../mail/mailer.ts'
import { askedByLetter } from '../../shared/asked-by-letter.ts'
import type { Found } from '../../shared/found.ts'
import { tellsNews } from '../../store/delivery-ledger.ts'
import type { Invitations } from '../../store/invitations.ts'
import type { LockHolder } from '../../store/run-lock.ts'
import type { Store } from '../../store/store.ts'
import { withInvitations, withTestInvitation } from '../invitations/invitation-letter.ts'
import { countRun, type RunCount } from '../outlook.ts'
import type { RecipientSelection } from '../recipient-selection.ts'
import { refused } from '../refusal.ts'
import type { RetryPolicy } from '../sending/retry-policy.ts'
import type { AnnounceEvents } from '../tell-everyone.ts'
import type { WavesEnd, WavesEvents } from '../waves/waves-options.ts'
import { type FindingsOptions, findings, isSameProblem, type May, mayGo } from './findings.ts'
import { runToEnd } from './run-to-end.ts'
import { lettersDigest } from './translations.ts'
import {
  announceInWaves,
  type Checked,
  isEarly,
  noteUnready,
  readWavesOf,
  type Waves,
  type WavesWanted,
  withoutWaves,
} from './waves.ts'

/** One letter, and how it is to be sent. */
export interface AnnounceJob extends FindingsOptions, Omit<RecipientSelection, 'id'>, WavesWanted {
  readonly holder: LockHolder
  readonly signal: AbortSignal
  readonly stopShare: number
  /** Of a run without waves. */
  readonly retryPolicy?: RetryPolicy | undefined
  /** Whether it goes on in spite of a problem; without it, in spite of none. */
  readonly overrides?: (problem: Found) => boolean
}

/** What is known before a letter is sent. */
export interface Ahead {
  readonly selection: RecipientSelection
  readonly waves: Waves | undefined
  readonly found: readonly Found[]
  readonly may: May
  /** `undefined` where the next wave is not due, and for a test. */
  readonly count: RunCount | undefined
}

/** Tells the operator of a run while it goes on. */
export interface Voice {
  /** @param isLater whether a wave was sent since the first look. */
  found(found: readonly Found[], may: May, isLater: boolean): void
  readonly run: AnnounceEvents
  readonly waves: WavesEvents
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
  const { includeNew, retry, first, alsoWhoGot, leavesOut, silentSince, brought, dryRun } = job
  const selection = { id, includeNew, retry, first, alsoWhoGot, leavesOut, silentSince, brought }
  const isBegun = await store.ledger.findAnnouncement(id)
  if (retry && !isBegun) throw refused({ code: 'nothing-to-retry', id })
  for (const asked of tellsNews(id) && !isBegun ? askedByLetter : [])
    if (await store.ledger.findAnnouncement(`${asked}-${id}`))
      throw refused({ code: 'letter-asks', id, asked })
  for (const name of alsoWhoGot && alsoWhoGot !== 'all' ? alsoWhoGot : [])
    if (!(await store.ledger.findAnnouncement(name)))
      throw refused({ code: 'no-such-announcement', id: name })

  const ahead = async (
    waves: Waves | undefined,
    count: Ahead['count'],
    figures: Parameters<typeof findings>[3],
  ): Promise<Ahead> => {
    const found = await findings(store, job, selection, figures)
    const { overrides = () => false } = job
    return { selection, waves, found, may: mayGo(found, overrides), count }
  }
  if (job.isTest) return ahead(undefined, undefined, undefined)
  // A dry run may try any plan.
  const waves = await readWavesOf(store.ledger, id, dryRun ? { ...job, changePlan: true } : job)
  if (waves && !dryRun && (await isEarly(store.ledger, selection, waves, job))) {
    // A timer runs this often, and reading the whole list is expensive.
    return ahead(waves, undefined, 'later')
  }
  const count = await countRun(store, selection)
  return ahead(waves, count, count)
}

/** What came of a test; with the language of the letter, where there are several. */
export interface TestSent {
  readonly language: string | undefined
  readonly outcome: SendOutcome
}

/** Sends a test in each language of the letter. None is counted. @throws Refused, StoreUnavailable */
export async function sendTest(
  invitations: Invitations,
  job: AnnounceJob,
  email: string,
): Promise<TestSent[]> {
  const { letterFile, languages } = job
  const addressId = addressIds(job.linkKey).of(email)
  const sent: TestSent[] = []
  for (const code of [languages[0].code, ...letterFile.translations.map((one) => one.code)]) {
    // With an id of its own: many mailboxes show only one of two messages with the same Message-ID.
    const make = messageMaker(job, `${letterFile.id} test ${Date.now()} ${code}`)
    const letter = await withTestInvitation(invitations, job, make)
    const message = letter({ addressId, email, language: code })
    sent.push({ language: message.language, outcome: await job.mailer.send(message) })
  }
  return sent
}

/** Notes that nothing is sent, if the operator may not be watching. @throws StoreUnavailable */
export async function noteStopped(store: Store, job: AnnounceJob, ahead: Ahead): Promise<void> {
  const { selection, waves, count } = ahead
  if (waves && count) await noteUnready(store, selection, waves, count, job.wait ?? true)
}

/**
 * Sends the letter to everyone once, after a pre-flight that allows it.
 *
 * @throws Refused where another run or plan goes on; StoreUnavailable
 */
export async function sendToAll(
  store: Store,
  job: AnnounceJob,
  { selection, waves, found, count }: Ahead,
  voice: Voice,
): Promise<WavesEnd> {
  const { letterFile, mailer, holder, rate, stopShare, signal, changePlan } = job
  const { letter, id } = letterFile
  const run = {
    ...selection,
    mailer,
    holder,
    rate,
    stopShare,
    signal,
    message: await withInvitations(store.invitations, job, messageMaker(job, id)),
    letter: { subject: letter.subject, digest: lettersDigest(letterFile) },
  }
  if (waves) {
    const check = async (isFirst: boolean) =>
      isFirst && count ? { found, count } : checkAgain(store, job, selection, found, voice)
    const how = { ...job, ...waves, announcement: run, storeKind: job.signing.kind, check }
    return announceInWaves(store, { ...how, onRun: voice.run, onWaves: voice.waves })
  }
  const stage = changePlan ? withoutWaves(store.ledger, holder.owner, selection) : undefined
  const end = await runToEnd({
    ...run,
    store,
    stage,
    retryPolicy: job.retryPolicy,
    toSend: count?.toSend,
    letters: count?.letters,
    on: voice.run,
  })
  return { why: end.why === 'done' ? 'done' : 'ended', end }
}

/**
 * The pre-flight before a later wave. `--force` overrides only the problems that were found when
 * the operator gave it.
 *
 * @param before the findings at the start. @returns the findings and the count now, if sending is
 *   allowed.
 */
async function checkAgain(
  store: Store,
  job: AnnounceJob,
  selection: RecipientSelection,
  before: readonly Found[],
  voice: Voice,
): Promise<Checked | undefined> {
  const count = await countRun(store, selection)
  const found = await findings(store, job, selection, count)
  const wasSeen = (problem: Found) =>
    before.some((one) => one.verdict === 'problem' && isSameProblem(one, problem))
  const may = mayGo(found, wasSeen)
  voice.found(found, may, true)
  return may === 'go' || may === 'forced' ? { found, count } : undefined
}

function messageMaker(job: AnnounceJob, announcement: string) {
  const { letterFile, product, languages, linkKey, unsubscribeUrl } = job
  const { letter, translations, logo } = letterFile
  const of = { letter, translations, product, languages }
  return messages({ ...of, logo, linkKey, unsubscribeUrl, announcement })
}
