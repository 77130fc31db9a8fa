import { createHash } from 'node:crypto'
import type { LetterThatAsks } from '../../shared/feature-rules.ts'
import { say } from '../../shared/say.ts'
import { senderDomain } from '../sender.ts'
import { FIRST_NAME, firstNameMistakes, withoutFirstNames } from './first-name.ts'
import { readLetterSettings } from './letter-settings.ts'

/** A letter as the operator wrote it: Markdown under a front matter. */
export interface Letter {
  readonly subject: string
  /** What an inbox shows beside the subject; may be empty. */
  readonly preview: string
  /** An address, or a name with an address in angle brackets. */
  readonly from: string
  readonly replyTo: string | undefined
  readonly markdown: string
  /** How many days the code in it is valid; left out for a letter without one. */
  readonly codeDays?: number | undefined
  /** What it asks by a button under its text, if anything. */
  readonly asks?: LetterThatAsks | undefined
}

/** Placeholder for the recipient's unsubscribe link in a letter's text. */
export const UNSUBSCRIBE = '{{unsubscribe}}'

/** Placeholder for a code of the recipient alone. */
export const CODE = '{{invitation}}'
/** Says how long it is valid. */
const CODE_VALID = 'invitation-valid'

/** The code in a preview. */
export const SAMPLE_CODE = 'an-invitation'

const SUBJECT_MAX_LENGTH = 200

/**
 * Reads a letter and checks it.
 *
 * @param mailFrom the setting `MAIL_FROM`, the sender of a letter that names none.
 * @returns the letter, or one sentence for each mistake.
 */
export function parseLetter(
  source: string,
  mailFrom = '',
): { letter: Letter } | { mistakes: string[] } {
  const found = /^---\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n(.*))?$/s.exec(
    source.replace(/^\uFEFF/, ''),
  )
  if (!found)
    return {
      mistakes: [
        say(
          'must begin with its settings, such as "subject: We are live", between two lines of "---"',
        ),
      ],
    }
  const [, head = '', body = ''] = found
  const { fields, mistakes: unread } = readLetterSettings(head, FIRST_SETTING)
  if (unread.length > 0) return { mistakes: unread }

  const mistakes: string[] = []
  const text = (name: string, byDefault = '', whenMissing?: string) => {
    const value = (fields[name] ?? byDefault).trim()
    if (/\p{Cc}/u.test(value)) mistakes.push(say('{name}: has a control character in it', { name }))
    else if (value === '' && whenMissing) mistakes.push(`${name}: ${whenMissing}`)
    return value
  }
  for (const name of Object.keys(fields))
    if (!known.includes(name))
      mistakes.push(say('{name}: is not one of {known}', { name, known: known.join(', ') }))

  const letter: Letter = {
    subject: text('subject', '', say('is missing')),
    preview: text('preview'),
    from: text('from', mailFrom, say('is missing; name a sender here or in MAIL_FROM')),
    replyTo: text('reply-to') || undefined,
    markdown: body.trim(),
    ...codeIn(body, text(CODE_VALID), mistakes),
  }
  if (letter.subject.length > SUBJECT_MAX_LENGTH)
    mistakes.push(
      say('subject: has {length} characters, {most} fit', {
        length: letter.subject.length,
        most: SUBJECT_MAX_LENGTH,
      }),
    )
  if (letter.from && !senderDomain(letter.from))
    mistakes.push(say('from: must be one e-mail address'))
  if (letter.replyTo && !senderDomain(letter.replyTo))
    mistakes.push(say('reply-to: must be one e-mail address'))
  if (letter.markdown === '') mistakes.push(say('has no text under its settings'))
  mistakes.push(...slotMistakes(letter))
  return mistakes.length > 0 ? { mistakes } : { letter }
}

/** Slots that are not known, or not whole, or where they cannot stand. */
function slotMistakes({ subject, preview, markdown }: Letter): string[] {
  const slotsOf = (text: string) => withoutFirstNames(text).match(/\{\{[^{}]*\}\}/g) ?? []
  const isKnown = (slot: string) => slot === UNSUBSCRIBE || slot === CODE
  // `{{first name}}` without a bar is told of by itself.
  const isNamed = (slot: string) => /^\{\{first name/.test(slot)
  const unknown = (slot: string) =>
    say('{slot} is not known; there are {unsubscribe}, {code} and {name}', {
      slot,
      unsubscribe: UNSUBSCRIBE,
      code: CODE,
      name: FIRST_NAME,
    })
  return [
    ...slotsOf(`${subject} ${preview}`)
      .filter((slot) => !isNamed(slot))
      .map((slot) =>
        isKnown(slot)
          ? say('{slot} cannot stand in the subject or the preview', { slot })
          : unknown(slot),
      ),
    ...slotsOf(markdown)
      .filter((slot) => !isKnown(slot) && !isNamed(slot))
      .map(unknown),
    ...[subject, preview, markdown].flatMap(firstNameMistakes),
  ]
}

/** The lines after the first "---". */
const FIRST_SETTING = 2

const known = ['subject', 'preview', 'from', 'reply-to', CODE_VALID]

const DAYS_BY_DEFAULT = 30
const MOST_DAYS = 365

/** @param valid the setting; empty for none. */
function codeIn(body: string, valid: string, mistakes: string[]): Pick<Letter, 'codeDays'> {
  const isThere = body.includes(CODE)
  if (valid === '') return isThere ? { codeDays: DAYS_BY_DEFAULT } : {}
  const days = Number(/^(\d{1,3}) days?$/.exec(valid)?.[1] ?? 0)
  if (days < 1 || days > MOST_DAYS)
    mistakes.push(
      say('{name}: must be from 1 day to {most} days, such as "30 days"', {
        name: CODE_VALID,
        most: MOST_DAYS,
      }),
    )
  else if (!isThere)
    mistakes.push(say('{name}: there is no {code} in the text', { name: CODE_VALID, code: CODE }))
  return { codeDays: days }
}

/** A digest of everything that the operator wrote. */
export function letterDigest(letter: Letter): string {
  const { subject, preview, from, replyTo, markdown, codeDays } = letter
  const text = JSON.stringify([subject, preview, from, replyTo, markdown, codeDays])
  return createHash('sha256').update(text).digest('base64url')
}
