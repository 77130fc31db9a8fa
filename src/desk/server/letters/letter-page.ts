import { basename } from 'node:path'
import type { FoundTranslation } from '../../../announcement/run/translations.ts'
import { fieldsOf } from '../../../mail/letter/letter-source.ts'
import { tellsNews } from '../../../store/delivery-ledger.ts'
import { isOutdated, type LetterLanguage, type LetterPage } from '../../contract/letters.ts'
import {
  type LetterDesk,
  languageLabel,
  mistakesOf,
  readWhole,
  type WholeLetter,
  withoutMistakes,
} from './letter-desk.ts'
import { letterProgress, settingsOf } from './letter-progress.ts'
import { isOpen, problemsOf } from './standing.ts'

/** What the page of a letter shows. */
export function letterPages(desk: LetterDesk) {
  const { store } = desk
  const progress = letterProgress(desk)

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
    const found = desk.checks.get(name)
    const announcements = await store.ledger.announcements()
    const check = found?.check
    const seen = await progress(name, standing)
    // Shown once, since its recipient may be forgotten next.
    const test = desk.tests.get(name)
    desk.tests.delete(name)
    return {
      page: 'letter',
      name,
      subject:
        letter?.subject ?? announcement?.subject ?? fieldsOf(kept?.source ?? '')?.subject ?? '',
      ...(whole ? await writtenOf(desk, whole, language) : { preview: '', from: '', mistakes: [] }),
      progress: seen,
      isOpen: kept !== undefined && isOpen(standing),
      version,
      nextRun: (run?.number ?? 0) + 1,
      missing: desk.settings.missing,
      ...(found?.version === version && check && !isOutdated(check, seen) && { check }),
      settings: {
        ...(found?.check.settings ?? settingsOf(run)),
        // The list has one rate, also where a terminal chose it.
        ...(run?.notes.rate && { rate: run.notes.rate }),
      },
      mayForce: problemsOf(run).length > 0,
      earlier: announcements.map(({ id }) => id).filter((id) => id !== name && tellsNews(id)),
      ...(test && { test }),
      ...(error && { error }),
    }
  }

  return { page, progress }
}

/** What it shows of the letter as it is written. @param language of the translation to look at */
async function writtenOf(desk: LetterDesk, whole: WholeLetter, language: string | undefined) {
  const { kept, letter, translations } = whole
  const other = translations.find(({ code }) => code === language)
  const mime = await mimeIn(desk, whole, other?.code)
  const source = other ? desk.folder.readBeside(other.path) : kept.source
  return {
    preview: letter?.preview ?? '',
    from: letter?.from ?? '',
    changedAt: kept.changedAt.getTime(),
    mistakes: mistakesOf(whole),
    ...(other && { shown: other.code }),
    ...(mime ? { look: await (await import('./letter-look.ts')).lookOf(mime) } : { source }),
    ...(desk.languages.length > 1 && { languages: languagesIn(desk, whole) }),
  }
}

/** The message that a reader of a language gets, in its bytes; `undefined` where that letter has mistakes. */
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
