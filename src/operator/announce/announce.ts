import { findLeftOut } from '../../announcement/earlier.ts'
import { type Expected, expected } from '../../announcement/expected.ts'
import { checkLetter } from '../../announcement/preflight/letter-check.ts'
import { checkOpening } from '../../announcement/preflight/opening-probe.ts'
import { preflight } from '../../announcement/preflight/preflight.ts'
import type { ResolveTxt } from '../../announcement/preflight/sender-records.ts'
import type { RecipientSelection } from '../../announcement/recipient-selection.ts'
import { addressIds } from '../../keys/address-id.ts'
import { unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { letterDigest, senderDomain } from '../../mail/letter/letter.ts'
import { messages } from '../../mail/letter/message.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Finding } from '../../shared/finding.ts'
import type { Product } from '../../shared/product.ts'
import type { LockHolder } from '../../store/run-lock.ts'
import type { Store } from '../../store/store.ts'
import {
  checkSigning,
  withInvitations,
  withTestInvitation,
} from '../invitations/invitation-letter.ts'
import type { SigningPlace } from '../invitations/signing.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { counted } from '../terminal/words.ts'
import { checkAlsoWhoGot } from './also-who-got.ts'
import { reportEnd } from './announce-report.ts'
import type { LetterFile } from './letter-file.ts'
import { listRecipients } from './list-recipients.ts'
import { reportPreflight } from './preflight-report.ts'
import { runToEnd } from './run-to-end.ts'
import { sendOne } from './send-one.ts'
import { noteUnready } from './unready-wave.ts'
import {
  announceInWaves,
  readWavesOf,
  showPlan,
  type Waves,
  type WavesArguments,
  withoutWaves,
} from './waves-command.ts'

export interface AnnounceCommandOptions extends Omit<RecipientSelection, 'id'>, WavesArguments {
  readonly letterFile: LetterFile
  readonly product: Product
  readonly linkKey: Buffer
  /** What the invitations of a letter are signed with, if it has any. */
  readonly signing: SigningPlace
  readonly unsubscribeUrl: string
  /** Where visitors find the page, if that is known. */
  readonly publicUrl?: string | undefined
  readonly mailer: Mailer
  readonly resolveTxt: ResolveTxt
  readonly holder: LockHolder
  readonly signal: AbortSignal
  readonly rate: number
  readonly stopShare: number
  readonly dkimSelector?: string
  readonly force?: boolean
  /** Lists who would get the letter, and sends nothing. */
  readonly dryRun?: boolean
  /** Sends a test to this address alone. */
  readonly to?: string
  readonly json?: boolean
  /** Given when the result goes to a file: then the list in it is whole. */
  readonly output?: string
  readonly list?: boolean
}

/** `announce`: runs the pre-flight, then sends the letter to everyone once. */
export async function announceLetter(store: Store, options: AnnounceCommandOptions, out: Out) {
  const { id } = options.letterFile
  const { includeNew, retry, first, dryRun, to, alsoWhoGot } = options
  const selection: RecipientSelection = { id, includeNew, retry, first, alsoWhoGot }
  if (retry && !(await store.findAnnouncement(id)))
    throw new OperatorError(`There is no announcement "${id}" yet, so nothing to retry.`)

  await checkAlsoWhoGot(store, selection)
  const isForAll = to === undefined
  // A dry run may try any plan.
  const asked = dryRun ? { ...options, changePlan: true } : options
  const waves = isForAll ? await readWavesOf(store, id, asked) : undefined
  const ahead = isForAll ? await expected(store, selection) : undefined

  const found = await findings(store, options, selection, ahead)
  const mayGoOn = reportPreflight(found, () => options.force ?? false, out)
  if (waves && ahead) await showPlan(store, id, waves, ahead, found, options, out)
  if (dryRun) {
    await listRecipients(
      store,
      selection,
      ahead ?? (await expected(store, selection)),
      options,
      out,
    )
    return mayGoOn ? exitCodes.done : exitCodes.failed
  }
  if (!mayGoOn) {
    if (waves && ahead) await noteUnready(store, selection, waves, ahead, options.wait ?? true)
    return exitCodes.failed
  }
  if (to !== undefined) return sendTest(store, options, to, out)
  return sendToAll(store, options, selection, waves, found, out)
}

/**
 * The pre-flight before a later wave. `--force` passes over what was seen when it was given, and over
 * nothing that came since.
 *
 * @param before what was found at the start. @returns what is found now, if sending is allowed.
 */
async function laterFindings(
  store: Store,
  options: AnnounceCommandOptions,
  selection: RecipientSelection,
  before: readonly Finding[],
  out: Out,
) {
  const found = await findings(store, options, selection, await expected(store, selection))
  const wasSeen = (problem: Finding) =>
    before.some((one) => one.verdict === 'problem' && isSameProblem(one, problem))
  return reportPreflight(found, wasSeen, out, true) ? found : undefined
}

/** Those of one name that are of many kinds. A record that is missing may also fail to be looked up. */
const OF_MANY_KINDS = ['Letter', 'Page']

function isSameProblem(one: Finding, other: Finding): boolean {
  if (one.what !== other.what) return false
  const kind = ({ detail }: Finding) => detail.replaceAll(/\d+/g, '')
  return !OF_MANY_KINDS.includes(one.what) || kind(one) === kind(other)
}

/** What the pre-flight needs to know. */
export type FindingsOptions = Pick<
  AnnounceCommandOptions,
  | 'letterFile'
  | 'product'
  | 'linkKey'
  | 'signing'
  | 'unsubscribeUrl'
  | 'publicUrl'
  | 'mailer'
  | 'resolveTxt'
  | 'rate'
> & { readonly dkimSelector?: string | undefined; readonly dryRun?: boolean | undefined }

/**
 * Looks at everything that would spoil this announcement, before anybody is mailed.
 *
 * @param ahead what the run would do; `undefined` for a test. @throws StoreUnavailable
 */
export async function findings(
  store: Store,
  options: FindingsOptions,
  selection: RecipientSelection,
  ahead: Pick<Expected, 'toSend' | 'leftOut'> | undefined,
): Promise<Finding[]> {
  const { letterFile, linkKey } = options
  const found = await preflight({
    ...{ ...options, store },
    ids: addressIds(linkKey),
    tokens: unsubscribeTokens(linkKey),
    domain: senderDomain(letterFile.letter.from) ?? '',
    dkimSelector: options.dkimSelector,
    toSend: ahead?.toSend ?? 1,
  })
  const ofLetter = [
    ...(await checkLetter(letterFile.letter, options.product)),
    ...(await checkSigning(store, options)),
  ]
  const ofThisOne = ahead
    ? [
        // A test to oneself may come long before.
        await checkOpening(await store.opening(), options.publicUrl, {
          isDryRun: options.dryRun,
          wasOpen: (await store.findAnnouncement(letterFile.id))?.waves?.sawOpen,
        }),
        ...(await letterChange(store, letterFile)),
        ...(await findLeftOut(store, selection, ahead)),
      ]
    : []
  return [...found, ...ofLetter, ...ofThisOne]
}

/** A file name is one announcement: a changed letter reaches only those who have none yet. */
async function letterChange(store: Store, { id, letter }: LetterFile): Promise<Finding[]> {
  const announcement = await store.findAnnouncement(id)
  if (!announcement || announcement.digest === letterDigest(letter)) return []
  const { sent } = await store.tally(id)
  if (sent === 0) return []
  const detail = `is not as it was when ${counted(sent, 'subscriber')} got it; a new announcement needs a new file name`
  return [{ what: 'Text', verdict: 'problem', detail }]
}

async function sendTest(
  store: Store,
  options: AnnounceCommandOptions,
  to: string,
  out: Out,
): Promise<number> {
  // With an id of its own: many mailboxes show only one of two messages with the same Message-ID.
  const message = messageMaker(options, `${options.letterFile.id} test ${Date.now()}`)
  return sendOne(options, await withTestInvitation(store, options, message), to, out)
}

async function sendToAll(
  store: Store,
  options: AnnounceCommandOptions,
  selection: RecipientSelection,
  waves: Waves | undefined,
  found: readonly Finding[],
  out: Out,
): Promise<number> {
  const { letterFile, mailer, holder, rate, stopShare, signal } = options
  const { letter, id } = letterFile
  const run = {
    ...{ mailer, holder, rate, stopShare, signal, ...selection },
    message: await withInvitations(store, options, messageMaker(options, id)),
    letter: { subject: letter.subject, digest: letterDigest(letter) },
  }
  if (waves) {
    const check = async (isFirst: boolean) =>
      isFirst ? found : laterFindings(store, options, selection, found, out)
    const storeKind = options.signing.kind
    const how = { ...options, ...waves, announcement: run, report: options, storeKind, check }
    return announceInWaves(store, how, out)
  }
  const { changePlan } = options
  const stage = changePlan ? withoutWaves(store, holder.owner, selection) : undefined
  return reportEnd(store, await runToEnd(store, { ...run, stage }, out), options, out)
}

function messageMaker(options: AnnounceCommandOptions, announcement: string) {
  const { letterFile, product, linkKey, unsubscribeUrl } = options
  const { letter, logo } = letterFile
  return messages({ letter, product, logo, linkKey, unsubscribeUrl, announcement })
}
