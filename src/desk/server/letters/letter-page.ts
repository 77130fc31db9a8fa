import { unsent } from '../../../announcement/run/report.ts'
import { fieldsOf } from '../../../mail/letter/letter-source.ts'
import { ASK } from '../../../store/delivery-ledger.ts'
import { answerInWords, reasonInWords } from '../../../terminal/standing-words.ts'
import type { LetterCheck, LetterPage, LetterProgress, UnsentRow } from '../../contract/letters.ts'
import { type FoundCheck, type LetterDesk, mailOfDesk, readKept, versionOf } from './letter-desk.ts'
import { letterMime, lookOf } from './letter-look.ts'
import { progressOf, type Standing, stateOf, wasHeldBack } from './progress.ts'
import { remembered } from './remembered.ts'
import { FORCED, fromOptions, usualSettings } from './sending-settings.ts'

const SHOWN = 50
/** As `install --systemd` writes it. */
const SERVICE_SETTINGS = '/etc/opening-bell.env'

/** What the page of a letter shows. */
export function letterPages(desk: LetterDesk) {
  const { store, folder, mailFrom, product, linkKey, root, env } = desk

  // Looked up less often than the numbers, since it may read many rows to find few.
  const withoutIt = remembered(async (name) => {
    const rows: UnsentRow[] = []
    for await (const { email = null, status, answer, standing } of unsent(
      store.ledger,
      name,
      false,
    )) {
      rows.push({
        email,
        status,
        answer: standing ? reasonInWords(standing) : answerInWords(answer ?? ''),
      })
      if (rows.length === SHOWN) break
    }
    return rows
  }, 3_000)

  async function progress(name: string, standing?: Standing): Promise<LetterProgress> {
    const known = standing ?? (await desk.standingOf(name))
    const { announcement, tally } = known
    const { failed, uncertain, suppressed, forgotten } = tally
    const unsentCount = failed + uncertain + suppressed + forgotten
    const shown = unsentCount > 0 ? await withoutIt.look(`${name}`) : []
    const isOver = ['partly', 'told', 'stopped'].includes(stateOf(known))
    const newcomers = announcement && isOver ? await newcomersOf.look(name) : undefined
    return { ...progressOf(known), unsent: shown, unsentCount, ...(newcomers && { newcomers }) }
  }

  const newcomersOf = remembered(async (name) => {
    const announcement = await store.ledger.findAnnouncement(name)
    return announcement ? store.list.countIn({ since: announcement.cutOff }) : 0
  }, 10_000)

  /**
   * The findings, without people who were forgotten since; these are removed from the kept findings
   * too.
   */
  async function stillThere(name: string, found: FoundCheck): Promise<LetterCheck> {
    const { version, check } = found
    const known = await Promise.all(check.sample.map((email) => store.list.find(email)))
    const kept = { ...check, sample: check.sample.filter((_, i) => known[i] !== undefined) }
    // Not if the letter was sent or checked again meanwhile.
    if (desk.checks.get(name) === found) desk.checks.set(name, { version, check: kept })
    return kept
  }

  /** @returns `undefined` where there is neither a letter nor an announcement of that name. */
  async function page(name: string, error?: string): Promise<LetterPage | undefined> {
    const kept = folder.read(name)
    const standing = await desk.freshStandingOf(name)
    const { announcement, engine } = standing
    if (!kept && !announcement) return undefined
    const read = kept && readKept(kept, mailFrom)
    const letter = read && 'letter' in read ? read.letter : undefined
    const mail = mailOfDesk(desk)
    const unsubscribeUrl = mail.settings?.unsubscribeUrl
    const look =
      letter && lookOf(await letterMime({ letter, name, product, linkKey, unsubscribeUrl, root }))
    const version = versionOf(kept)
    const found = desk.checks.get(name)
    const run = desk.runOf(name)
    const settings = found?.check.settings ?? (run ? fromOptions(run.head.args) : usualSettings)
    const announcements = await store.ledger.announcements()
    const check = found && (await stillThere(name, found))
    const seen = await progress(name, standing)
    const looked = await look
    // Shown once, since its recipient may be forgotten next.
    const test = desk.tests.get(name)
    desk.tests.delete(name)
    return {
      page: 'letter',
      name,
      subject:
        letter?.subject ?? announcement?.subject ?? fieldsOf(kept?.source ?? '')?.subject ?? '',
      preview: letter?.preview ?? '',
      from: letter?.from ?? '',
      ...(kept && { changedAt: kept.changedAt.getTime() }),
      mistakes: read && 'mistakes' in read ? read.mistakes : [],
      ...(kept && !letter && { source: kept.source }),
      look: looked,
      progress: seen,
      isOpen: kept !== undefined && isOpen(standing) && !engine,
      version,
      nextRun: desk.nextRunOf(name),
      missing: mail.missing,
      settingsAt: env.INVOCATION_ID
        ? `${SERVICE_SETTINGS}, then restart the service`
        : 'the environment of the server, then start it again',
      ...(found?.version === version && check && { check }),
      settings,
      mayForce: run !== undefined && (run.head.args.includes(FORCED) || wasHeldBack(run)),
      earlier: announcements.map(({ id }) => id).filter((id) => id !== name && id !== ASK),
      ...(test && { test }),
      ...(error && { error }),
    }
  }

  return { page, progress }
}

/** Whether a letter may be changed under its name: only while nobody has it, or may have it. */
export function isOpen({ tally, engine }: Pick<Standing, 'tally' | 'engine'>): boolean {
  return tally.sent + tally.uncertain + tally.sending === 0 && !engine
}
