import { fieldsOf, letterSource } from '../../../mail/letter/letter-source.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'
import type { LetterFormPage } from '../../contract/letters.ts'
import type { Fields } from '../fields.ts'
import type { LetterDesk } from './letter-desk.ts'
import { versionOf } from './letter-desk.ts'
import { isOpen } from './letter-page.ts'
import { isOnItsWay } from './progress.ts'

/** @returns the form of a new letter, or of a copy. */
export function newForm({ folder, mailFrom }: LetterDesk, copyOf: string): LetterFormPage {
  const kept = folder.read(copyOf)
  return {
    page: 'letter-form',
    wantedName: kept ? freeName(kept.name, (name) => folder.read(name) !== undefined) : '',
    ...contentOf(kept?.source),
    version: '',
    mailFrom,
  }
}

export function formOf({ folder, mailFrom }: LetterDesk, name: string): LetterFormPage | undefined {
  const kept = folder.read(name)
  return (
    kept && {
      page: 'letter-form',
      name,
      wantedName: name,
      ...contentOf(kept.source),
      version: versionOf(kept),
      mailFrom,
    }
  )
}

/** The same form again, with what was typed and what is wrong. */
export function formAgain(desk: LetterDesk, body: Fields, error: string): LetterFormPage {
  const name = body('was').trim() || undefined
  const source = sourceIn(body)
  return {
    page: 'letter-form',
    ...(name && { name }),
    wantedName: body('name').trim() || name || '',
    ...contentOf(source),
    version: body('version').trim(),
    mailFrom: desk.mailFrom,
    error,
  }
}

/**
 * Saves the letter of a form. @returns the letter's name.
 *
 * @throws OperatorError with the reason why it cannot; StoreUnavailable
 */
export async function saveForm(desk: LetterDesk, body: Fields): Promise<string> {
  const { folder } = desk
  const was = body('was').trim()
  const name = was || body('name').trim()
  folder.fileOf(name)
  const standing = await desk.freshStandingOf(name)
  const { announcement } = standing
  if (!isOpen(standing))
    throw new OperatorError(
      `"${name}" was sent to people already, so it cannot be changed: save this under another name.`,
    )
  if (!was && announcement)
    throw new OperatorError(`"${name}" is the name of an announcement already: choose another.`)
  // No `await` from here on, so no run begins between this check and the saving.
  if (isOnItsWay(desk.runOf(name)))
    throw new OperatorError(
      `"${name}" is being sent, so it cannot be changed: save this under another name.`,
    )
  const there = folder.read(name)
  const expected = was ? body('version').trim() : ''
  if (was && versionOf(there) !== expected)
    throw new OperatorError(
      `The letter "${name}" was changed meanwhile, in another tab or on the disk. Open it again, or save this under another name.`,
    )
  folder.save(name, sourceIn(body), was ? there?.source : undefined)
  return name
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
