import { leftOutFound } from '../../../announcement/earlier.ts'
import { countRun } from '../../../announcement/outlook.ts'
import { checkLetters, findings } from '../../../announcement/run/findings.ts'
import { readLetterFile } from '../../../announcement/run/letter-file.ts'
import { smtpMailer } from '../../../mail/smtp-mailer.ts'
import { reportOfAhead } from '../../../report/makers/ahead.ts'
import { type Finding, problemKeys } from '../../../shared/finding.ts'
import type { LetterStage } from '../../../shared/letter-stages.ts'
import type { Store } from '../../../store/store.ts'
import { type LetterCheck, progressMark } from '../../contract/letters.ts'
import { type LetterDesk, usable } from './letter-desk.ts'
import { seenOf } from './letter-progress.ts'
import { type readSending, selectionOf } from './sending-settings.ts'
import type { Standing } from './standing.ts'

/**
 * The operator waits for these: the check of the server, which takes twice as long as connecting,
 * and a message must end before a proxy gives up, mostly after a minute.
 */
export const deskTimeouts = { connect: 8_000, silence: 15_000, message: 20_000 }

/** A mailer for checks and tests, while the operator waits; not for a run. */
export const deskMailer = (url: string) =>
  smtpMailer({ url, connections: 1, timeouts: deskTimeouts })

/**
 * Checks everything as `announce --dry-run` does, and keeps the findings for the page.
 *
 * @throws OperatorError where there is no letter to look at; StoreUnavailable
 */
export async function checkAll(
  desk: LetterDesk,
  name: string,
  { settings, rate, resolveTxt }: Omit<ReturnType<typeof readSending>, 'mistakes'>,
): Promise<void> {
  const { folder, mailFrom, product, languages, root, store, linkKey, codes, checks } = desk
  const publicUrl = desk.publicUrl ?? undefined
  const letters = usable(desk, name)
  const standing = await desk.standingOf(name)
  const { dkimSelector, alsoWhoGot } = settings
  const { count, people } = await whoIsNext(store, name, standing, alsoWhoGot)
  const { mail } = desk.settings
  let found: Finding[]
  if (mail) {
    const mailer = deskMailer(mail.smtpUrl)
    const letterFile = await readLetterFile(folder.fileOf(name), mailFrom, languages, root)
    // As many connections as a run has, to estimate its speed.
    const asRun = { ...mailer, connections: smtpConnections }
    const of = { letterFile, product, languages }
    const given = { ...mail, ...of, linkKey, codes, rate, resolveTxt, publicUrl }
    found = await findings(
      store,
      { ...given, mailer: asRun, ...(dkimSelector && { dkimSelector }) },
      selectionOf(name, 'everyone', alsoWhoGot),
      count,
    ).finally(mailer.close)
  } else
    found = [
      ...(await checkLetters(letters, { product, languages })),
      ...leftOutFound(count.leftOut),
    ]
  const { announcement, tally } = standing
  const check: LetterCheck = {
    at: Date.now(),
    progress: progressMark({ eligible: announcement?.eligible ?? 0, tally }),
    report: reportOfAhead({ found, count, may: 'go', seen: seenOf(desk, name, standing) }),
    people,
    settings,
  }
  checks.set(name, { version: letters.version, check, problems: problemKeys(found) })
}

/** The default of `smtpMailer`. */
const smtpConnections = 5

/** Counts the recipients of each run. @throws StoreUnavailable */
export async function whoIsNext(
  store: Store,
  name: string,
  { announcement }: Pick<Standing, 'announcement'>,
  also: readonly string[],
) {
  const count = (stage: LetterStage) => countRun(store, selectionOf(name, stage, also))
  if (announcement?.eligible === undefined) {
    const all = await count('everyone')
    const { first } = selectionOf(name, 'one-per-cent', also)
    return { count: all, people: { everyone: all.toSend, 'one-per-cent': all.toSendIn(first) } }
  }
  const newcomers = await count('newcomers')
  const people: Partial<Record<LetterStage, number>> = { newcomers: newcomers.toSend }
  for (const stage of ['everyone', 'failed', 'uncertain'] as const)
    people[stage] = (await count(stage)).toSend
  return { count: newcomers, people }
}
