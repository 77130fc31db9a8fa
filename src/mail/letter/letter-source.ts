import { readLetterSettings } from './letter-settings.ts'

/** A letter as one writes it in fields: its settings, each on one line, and its text. */
export interface LetterFields {
  readonly subject: string
  readonly preview: string
  readonly from: string
  readonly 'reply-to': string
  readonly text: string
}

const settings = ['subject', 'preview', 'from', 'reply-to'] as const

/** The file of a letter: what `parseLetter` reads of it is what stands in the fields, in one line each. */
export function letterSource(fields: LetterFields): string {
  const lines = settings
    .map((name) => ({ name, text: inOneLine(fields[name]) }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => `${name}: ${asSetting(text)}`)
  return ['---', ...lines, '---', fields.text.replace(/\r\n?/g, '\n').trim(), ''].join('\n')
}

/**
 * What stands in a letter's file.
 *
 * @returns `undefined` where fields could not hold it: a letter without settings, or with ones that
 *   are not known or not understood.
 */
export function fieldsOf(source: string): LetterFields | undefined {
  const found = /^---\n(?:(.*?)\n)?---[ \t]*(?:\n(.*))?$/s.exec(plainLines(source))
  if (!found) return undefined
  const [, head = '', text = ''] = found
  const { fields, mistakes } = readLetterSettings(head, 1)
  const isKnown = Object.keys(fields).every((name) => settings.some((one) => one === name))
  // A remark of its writer would be lost.
  if (mistakes.length > 0 || !isKnown || /^#/m.test(head)) return undefined
  const { subject = '', preview = '', from = '', 'reply-to': replyTo = '' } = fields
  return { subject, preview, from, 'reply-to': replyTo, text: text.trim() }
}

const plainLines = (source: string) => source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

/** A setting ends with its line, so no other one can hide in its text. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** Quotes are taken off when it is read, and `>` would be the beginning of more lines in YAML. */
function asSetting(text: string): string {
  const isLiteral = !/^["'>|]/.test(text)
  return isLiteral ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
