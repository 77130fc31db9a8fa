import { readLetterSettings } from './letter-settings.ts'

/** A letter in the fields of a form: its settings, each on one line, and its text. */
export interface LetterFields {
  readonly subject: string
  readonly preview: string
  readonly from: string
  readonly 'reply-to': string
  readonly text: string
}

const settings = ['subject', 'preview', 'from', 'reply-to'] as const

/** The file of a letter, from which `parseLetter` reads the fields again, each as one line. */
export function letterSource(fields: LetterFields): string {
  const lines = settings
    .map((name) => ({ name, text: inOneLine(fields[name]) }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => `${name}: ${asSetting(text)}`)
  return ['---', ...lines, '---', fields.text.replace(/\r\n?/g, '\n').trim(), ''].join('\n')
}

/**
 * The fields of a letter's file.
 *
 * @returns `undefined` where fields could not hold it: a letter without settings, or with unknown
 *   or invalid ones.
 */
export function fieldsOf(source: string): LetterFields | undefined {
  const found = /^---\n(?:(.*?)\n)?---[ \t]*(?:\n(.*))?$/s.exec(plainLines(source))
  if (!found) return undefined
  const [, head = '', text = ''] = found
  const { fields, mistakes } = readLetterSettings(head, 1)
  const isKnown = Object.keys(fields).every((name) => settings.some((one) => one === name))
  // A comment in the settings would be lost.
  if (mistakes.length > 0 || !isKnown || /^#/m.test(head)) return undefined
  const { subject = '', preview = '', from = '', 'reply-to': replyTo = '' } = fields
  return { subject, preview, from, 'reply-to': replyTo, text: text.trim() }
}

const plainLines = (source: string) => source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

/** A text as one line, so that it cannot hold another setting. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/**
 * Adds quotes where reading would remove them, or where YAML would read `>` as the start of more
 * lines.
 */
function asSetting(text: string): string {
  const isLiteral = !/^["'>|]/.test(text)
  return isLiteral ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
