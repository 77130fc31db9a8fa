import { isRunning, lastRun } from '../../../announcement/run/dead-run.ts'
import { languageMistake } from '../../../announcement/run/translations.ts'
import { fieldsOf, letterSource } from '../../../mail/letter/letter-source.ts'
import { say } from '../../../shared/say.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'
import type { LetterFormPage, LetterTranslation } from '../../contract/letters.ts'
import type { Fields } from '../fields.ts'
import { type LetterDesk, languageLabel } from './letter-desk.ts'
import { versionOf } from './letter-folder.ts'
import { isBeginning } from './send-letter.ts'
import { isOpen } from './standing.ts'

/** @returns the form of a new letter, or of a copy. */
export function newForm(desk: LetterDesk, copyOf: string): LetterFormPage {
  const { folder, mailFrom } = desk
  const kept = folder.read(copyOf)
  return {
    page: 'letter-form',
    wantedName: kept ? freeName(kept.name, (name) => folder.read(name) !== undefined) : '',
    ...contentOf(kept?.source),
    version: '',
    mailFrom,
  }
}

/**
 * The form of a letter, or of its translation: a new one begins with the text of the first.
 *
 * @param code of the translation; empty for the letter itself. @returns `undefined` where there is
 *   no such letter, or no such language.
 */
export function formOf(desk: LetterDesk, name: string, code: string): LetterFormPage | undefined {
  const { folder, mailFrom, languages } = desk
  if (code && languageMistake(code, languages, name)) return undefined
  const first = folder.read(name)
  const kept = code ? folder.read(name, code) : first
  return (
    first && {
      page: 'letter-form',
      name,
      wantedName: name,
      ...contentOf((kept ?? first).source),
      version: versionOf(kept),
      mailFrom,
      ...(code && { translation: translationShown(desk, code, first.source, !kept) }),
    }
  )
}

function translationShown(
  { languages }: LetterDesk,
  code: string,
  source: string,
  isNew: boolean,
): LetterTranslation {
  const first = { label: languageLabel(languages[0].code), source }
  return { code, label: languageLabel(code), isNew, first }
}

/** The same form again, with what was typed and what is wrong. */
export function formAgain(desk: LetterDesk, body: Fields, error: string): LetterFormPage {
  const name = body('was').trim() || undefined
  const source = sourceIn(body)
  const code = body('language').trim()
  const first = name ? desk.folder.read(name) : undefined
  const version = body('version').trim()
  return {
    page: 'letter-form',
    ...(name && { name }),
    ...(code && {
      translation: translationShown(desk, code, first?.source ?? '', version === ''),
    }),
    wantedName: body('name').trim() || name || '',
    ...contentOf(source),
    version,
    mailFrom: desk.mailFrom,
    error,
  }
}

/**
 * Saves the letter of a form, or a translation. @returns the letter's name, and the language.
 *
 * @throws OperatorError with the reason why it cannot; StoreUnavailable
 */
export async function saveForm(desk: LetterDesk, body: Fields) {
  const { folder, languages } = desk
  const was = body('was').trim()
  const name = was || body('name').trim()
  const code = body('language').trim() || undefined
  const file = folder.fileOf(name)
  const other = code
    ? say('copy the letter, and translate the copy.')
    : say('copy your text into a new letter.')
  if (code) {
    const mistake = languageMistake(code, languages, file)
    if (mistake) throw new OperatorError(say('The language {mistake}.', { mistake }))
  }
  const standing = await desk.standingOf(name)
  const { announcement } = standing
  if (!was && announcement)
    throw new OperatorError(
      say('"{name}" is the name of an announcement already: choose another.', { name }),
    )
  if (!isOpen(standing))
    throw new OperatorError(
      say('"{name}" was sent to people already, so it cannot be changed: {other}', { name, other }),
    )
  const run = await lastRun(desk.store.lock, name)
  // No `await` from here on, so no run begins between this check and the saving.
  if (isRunning(run) || isBeginning(name))
    throw new OperatorError(
      say('"{name}" is being sent, so it cannot be changed: {other}', { name, other }),
    )
  if (code && !folder.read(name))
    throw new OperatorError(say('There is no letter "{name}" any more.', { name }))
  folder.save(name, sourceIn(body), was ? body('version').trim() : '', code)
  return { name, code }
}

/** Fields, or the whole file of a letter that they could not hold. */
function contentOf(source: string | undefined): Pick<LetterFormPage, 'fields' | 'source'> {
  if (source === undefined)
    return { fields: { subject: '', preview: '', from: '', 'reply-to': '', text: '' } }
  const fields = fieldsOf(source)
  return fields ? { fields } : { source }
}

function sourceIn(body: Fields): string {
  const [source] = body.all('source')
  if (source !== undefined) return source.replace(/\r\n?/g, '\n')
  return letterSource({
    subject: body('subject').trim(),
    preview: body('preview').trim(),
    from: body('from').trim(),
    'reply-to': body('reply-to').trim(),
    text: body('text'),
  })
}

/** `launch-2` for a copy of `launch`, `launch-3` for one of that. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [, stem = name, number = '1'] = /^(.*?)-(\d{1,3})$/.exec(name) ?? []
  for (let n = Number(number) + 1; ; n += 1) {
    const end = `-${n}`
    const free = `${stem.slice(0, 60 - end.length)}${end}`
    if (!isTaken(free)) return free
  }
}
