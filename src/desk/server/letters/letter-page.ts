import { basename } from 'node:path'
import { countNewcomers } from '../../../announcement/newcomers.ts'
import { unsent } from '../../../announcement/run/report.ts'
import type { FoundTranslation } from '../../../announcement/run/translations.ts'
import { fieldsOf } from '../../../mail/letter/letter-source.ts'
import { tellsNews } from '../../../store/delivery-ledger.ts'
import type { Run } from '../../../store/run-lock.ts'
import { answerInWords, reasonInWords } from '../../../terminal/standing-words.ts'
import {
  isOutdated,
  type LetterBeside,
  type LetterCheck,
  type LetterLanguage,
  type LetterPage,
  type LetterProgress,
  type UnsentRow,
} from '../../contract/letters.ts'
import {
  type FoundCheck,
  type LetterDesk,
  languageLabel,
  mistakesOf,
  readWhole,
  type WholeLetter,
  withoutMistakes,
} from './letter-desk.ts'
import { remembered } from './remembered.ts'
import { fromOptions } from './sending-settings.ts'
import { problemsOf, progressOf, type Standing, stateOf } from './standing.ts'

const SHOWN = 50
/** As `install --systemd` writes it. */
const SERVICE_SETTINGS = '/etc/opening-bell.env'

/** What the page of a letter shows. */
export function letterPages(desk: LetterDesk) {
  const { store, env } = desk

  // Looked up less often than the numbers, since it may read many rows to find few.
  const withoutIt = remembered(async (name) => {
    const rows: UnsentRow[] = []
    const { isRunning } = await desk.standingOf(name)
    const also = isRunning ? [] : (['sending'] as const)
    for await (const { email = null, status, answer, standing } of unsent(
      store.ledger,
      name,
      also,
    )) {
      rows.push({
        email,
        status: status === 'sending' ? 'uncertain' : status,
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
    // After the end nothing moves any more, so what was remembered a moment before it would stay.
    const isOld = (rows: UnsentRow[]) => rows.length !== Math.min(unsentCount, SHOWN)
    let shown = unsentCount > 0 ? await withoutIt.look(name) : []
    if (!known.isRunning && isOld(shown)) {
      withoutIt.forget(name)
      shown = await withoutIt.look(name)
    }
    const isOver = ['partly', 'told', 'stopped', 'interrupted'].includes(stateOf(known))
    const newcomers = announcement && isOver ? await newcomersOf.look(name) : undefined
    return { ...progressOf(known), unsent: shown, unsentCount, ...(newcomers && { newcomers }) }
  }

  const newcomersOf = remembered(async (name) => {
    const announcement = await store.ledger.findAnnouncement(name)
    const { run } = await desk.standingOf(name)
    return announcement ? countNewcomers(store, announcement, settingsOf(run)) : 0
  }, 10_000)

  /**
   * The findings, without people who were forgotten since; these are removed from the kept findings
   * too.
   */
  async function stillThere(name: string, found: FoundCheck): Promise<LetterCheck> {
    const { check } = found
    const known = await Promise.all(check.sample.map((email) => store.list.find(email)))
    const kept = { ...check, sample: check.sample.filter((_, i) => known[i] !== undefined) }
    // Not if the letter was sent or checked again meanwhile.
    if (desk.checks.get(name) === found) desk.checks.set(name, { ...found, check: kept })
    return kept
  }

  /** @returns `undefined` where there is neither a letter nor an announcement of that name. */
  async function page(
    name: string,
    error?: string,
    language?: string,
  ): Promise<LetterPage | undefined> {
    const whole = readWhole(desk, name)
    const { kept, letter, version = '' } = whole ?? {}
    const standing = await desk.standingOf(name)
    const { announcement, run } = standing
    if (!kept && !announcement) return undefined
    const look = whole && (await lookIn(desk, whole))
    const shown = whole && besideOf(whole, language)
    const found = desk.checks.get(name)
    const settings = {
      ...(found?.check.settings ?? settingsOf(run)),
      // The list has one rate, also where a terminal chose it.
      ...(run?.notes.rate && { rate: run.notes.rate }),
    }
    const announcements = await store.ledger.announcements()
    const check = found && (await stillThere(name, found))
    const seen = await progress(name, standing)
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
      mistakes: whole ? mistakesOf(whole) : [],
      ...(kept && !letter && { source: kept.source }),
      look,
      ...(whole && desk.languages.length > 1 && { languages: languagesIn(desk, whole) }),
      ...(whole && shown && { beside: await shownBeside(desk, whole, shown) }),
      progress: seen,
      isOpen: kept !== undefined && isOpen(standing),
      version,
      nextRun: (run?.number ?? 0) + 1,
      missing: desk.settings.missing,
      settingsAt: env.INVOCATION_ID
        ? `${SERVICE_SETTINGS}, then restart the service`
        : 'the environment of the server, then restart the server',
      ...(found?.version === version && check && !isOutdated(check, seen) && { check }),
      settings,
      mayForce: problemsOf(run).length > 0,
      earlier: announcements.map(({ id }) => id).filter((id) => id !== name && tellsNews(id)),
      ...(test && { test }),
      ...(error && { error }),
    }
  }

  return { page, progress }
}

/** As the desk sent it last. */
const settingsOf = (run: Run | undefined) => fromOptions(run?.notes.options ?? [])

/** The message that a reader of a language gets; `undefined` where that letter has mistakes. */
async function lookIn(desk: LetterDesk, whole: WholeLetter, language?: string) {
  const mime = await mimeIn(desk, whole, language)
  if (!mime) return undefined
  const { lookOf } = await import('./letter-look.ts')
  return lookOf(mime)
}

/** The bytes of that message. */
export async function mimeIn(
  desk: LetterDesk,
  whole: WholeLetter,
  language?: string,
): Promise<Buffer | undefined> {
  const { kept, letter } = whole
  const { product, languages, linkKey, root } = desk
  const { unsubscribeUrl } = desk.settings.mail ?? {}
  const translations = withoutMistakes(whole)
  // The sender's domain names a message, and any of them has it.
  const any = letter ?? translations[0]?.letter
  const isThere = language ? translations.some(({ code }) => code === language) : letter
  if (!any || !isThere) return undefined
  const of = { letter: any, translations, name: kept.name, product, languages, language }
  // Loaded for this alone: what makes and reads messages is a third of all code of the desk.
  const { letterMime } = await import('./letter-look.ts')
  return letterMime({ ...of, linkKey, unsubscribeUrl, root })
}

/** The translation that is shown beside the letter: that which was asked for, else the first. */
function besideOf({ translations }: WholeLetter, language: string | undefined) {
  return translations.find(({ code }) => code === language) ?? translations[0]
}

async function shownBeside(
  desk: LetterDesk,
  whole: WholeLetter,
  { path, code, letter }: FoundTranslation,
): Promise<LetterBeside> {
  return letter
    ? { code, look: await lookIn(desk, whole, code) }
    : { code, source: desk.folder.readBeside(path) ?? '' }
}

/** The languages of the product, then what lies there in others. */
function languagesIn(
  { languages }: LetterDesk,
  { kept, letter, mistakes, translations }: WholeLetter,
): LetterLanguage[] {
  const [first, ...others] = languages
  const shown = (code: string, found?: FoundTranslation): LetterLanguage => ({
    code,
    label: languageLabel(code),
    ...(found && { file: basename(found.path) }),
    subject: found?.letter?.subject ?? '',
    mistakes: found?.mistakes ?? [],
    isOffered: languages.some((one) => one.code === code),
  })
  const isOther = ({ code }: FoundTranslation) => !others.some((one) => one.code === code)
  return [
    {
      ...shown(first.code),
      file: `${kept.name}.md`,
      subject: letter?.subject ?? fieldsOf(kept.source)?.subject ?? '',
      mistakes,
    },
    ...others.map(({ code }) =>
      shown(
        code,
        translations.find((one) => one.code === code),
      ),
    ),
    ...translations.filter(isOther).map((one) => shown(one.code, one)),
  ]
}

/** Whether a letter may be changed under its name: only while nobody has it, or may have it. */
export function isOpen({ tally, isRunning }: Pick<Standing, 'tally' | 'isRunning'>): boolean {
  return tally.sent + tally.uncertain + tally.sending === 0 && !isRunning
}
