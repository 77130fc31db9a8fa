import { foresee } from '../../../announcement/outlook.ts'
import { checkLetter } from '../../../announcement/preflight/letter-check.ts'
import { smtpMailer } from '../../../mail/smtp-mailer.ts'
import type { LetterCheck, LetterStage } from '../../../shared/desk-letters.ts'
import type { Finding } from '../../../shared/finding.ts'
import { suppressionReasons } from '../../../store/delivery-ledger.ts'
import type { Store } from '../../../store/store.ts'
import { findings } from '../../announce/announce.ts'
import { readLetterFile } from '../../announce/letter-file.ts'
import { reasonInWords } from '../../terminal/standing-words.ts'
import { type LetterDesk, mailOfDesk, usable, versionOf } from './letter-desk.ts'
import type { Standing } from './progress.ts'
import type { readSending } from './sending-settings.ts'
import { onePerCent, selectionOf } from './stages.ts'

/**
 * Whoever looks on waits for it: a look at the server, which takes twice as long as connecting, and a
 * message end together before a proxy gives up, which is a minute with most.
 */
export const deskTimeouts = { connect: 8_000, silence: 15_000, message: 20_000 }

/** A mailer for what is done while the operator waits, and not for a run. */
export const deskMailer = (url: string) =>
  smtpMailer({ url, connections: 1, timeouts: deskTimeouts })

/**
 * Looks at everything as `announce --dry-run` does, and keeps what it finds for the page.
 *
 * @throws OperatorError where there is no letter to look at; StoreUnavailable
 */
export async function checkAll(
  desk: LetterDesk,
  name: string,
  { settings, rate, resolveTxt }: Omit<ReturnType<typeof readSending>, 'mistakes'>,
): Promise<void> {
  const { folder, mailFrom, product, root, store, linkKey, signing, checks } = desk
  const publicUrl = desk.publicUrl ?? undefined
  const { kept, letter } = usable(desk, name)
  const standing = await desk.freshStandingOf(name)
  const ahead = await whoIsNext(store, name, standing, settings.alsoWhoGot)
  const mail = mailOfDesk(desk).settings
  let found: Finding[]
  if (mail) {
    const mailer = deskMailer(mail.smtpUrl)
    const letterFile = await readLetterFile(folder.fileOf(name), mailFrom, product, root)
    const selection = selectionOf(name, 'everyone', settings.alsoWhoGot)
    // As many connections as a run has: they say how fast it will be.
    const given = { ...mail, letterFile, product, linkKey, signing, rate, resolveTxt, publicUrl }
    const asRun = { ...mailer, connections: smtpConnections }
    const { dkimSelector } = settings
    found = await findings(
      store,
      { ...given, mailer: asRun, ...(dkimSelector && { dkimSelector }) },
      selection,
      { toSend: ahead.people.everyone ?? 0, leftOut: ahead.counts },
    ).finally(mailer.close)
  } else found = await checkLetter(letter, product)
  const check: LetterCheck = {
    at: Date.now(),
    findings: found,
    people: ahead.people,
    leftOut: ahead.leftOut,
    sample: ahead.sample,
    settings,
  }
  checks.set(name, { version: versionOf(kept), check })
}

/** What `smtpMailer` has by itself. */
const smtpConnections = 5

/** Counts whom each run would send to. @throws StoreUnavailable */
async function whoIsNext(
  store: Store,
  name: string,
  { announcement, tally }: Standing,
  also: readonly string[],
) {
  const isEnlisted = announcement?.eligible !== undefined
  const all = await foresee(store, selectionOf(name, isEnlisted ? 'newcomers' : 'everyone', also))
  const queued = tally.queued
  const people: Partial<Record<LetterStage, number>> = isEnlisted
    ? {
        everyone:
          also.length > 0
            ? (await foresee(store, selectionOf(name, 'everyone', also))).people
            : queued,
        newcomers: all.people,
        failed: tally.failed,
        uncertain: tally.uncertain + tally.sending,
      }
    : { everyone: all.people, 'one-per-cent': all.inStage(onePerCent) }
  const { told = 0, mailbox = 0, confirmed = 0, unmailable = 0, quarantined = 0 } = all.leftOut
  return {
    people,
    counts: { told, mailbox, confirmed, unmailable, quarantined },
    leftOut: suppressionReasons.flatMap((reason) => {
      const count = all.leftOut[reason] ?? 0
      return count > 0 ? [{ why: reasonInWords(reason), count }] : []
    }),
    sample: all.sample,
  }
}

/** How many a run would send to if it began now. @throws StoreUnavailable */
export async function peopleOf(
  store: Store,
  name: string,
  stage: LetterStage,
  { announcement, tally }: Standing,
  also: readonly string[],
): Promise<number> {
  if (stage === 'failed') return tally.failed
  if (stage === 'uncertain') return tally.uncertain + tally.sending
  const isQueue = announcement?.eligible !== undefined && stage === 'everyone' && also.length === 0
  if (isQueue) return tally.queued
  const ahead = await foresee(store, selectionOf(name, stage, also))
  return stage === 'one-per-cent' ? ahead.inStage(onePerCent) : ahead.people
}
