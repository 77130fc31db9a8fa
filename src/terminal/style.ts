import { randomUUID } from 'node:crypto'

/** Styles for a terminal with colours; elsewhere they change nothing. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly green: (text: string) => string
  readonly red: (text: string) => string
  readonly yellow: (text: string) => string
  /** Black on white on every terminal. */
  readonly print: (text: string) => string
}

/** Random for each process, so that no text from outside can contain a style of ours. */
const SECRET = randomUUID()
const marks = new RegExp(`\u001b${SECRET}(\\d+)m`, 'g')
const mark = (code: number) => `\u001b${SECRET}${code}m`

const painted = (code: number) => (text: string) => mark(code) + text + mark(code < 10 ? 22 : 39)

/** Styles as secret marks in the text. Only `printable` turns them into escape sequences. */
export const colored: Style = {
  bold: painted(1),
  dim: painted(2),
  red: painted(31),
  green: painted(32),
  yellow: painted(33),
  print: (text) => mark(30) + mark(107) + text + mark(49) + mark(39),
}

const asItIs = (text: string) => text
export const plain: Style = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  print: asItIs,
}

/** Number of visible characters. */
export const visibleLength = (text: string) => text.replace(marks, '').length

/**
 * Makes a text safe for a terminal. Only our own styles, line ends and tabs pass. Every other
 * control or format character is written like `\u009b`, which JSON parses back.
 */
export function printable(text: string): string {
  return text
    .split(marks)
    .map((part, i) => (i % 2 === 1 ? `\u001b[${part}m` : part.replace(unprintable, escaped)))
    .join('')
}

// Joiners pass: emoji and Persian need them, and they can neither reverse nor hide text.
const unprintable = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}](?<!\r(?=\n))/gu

/** One escape for each UTF-16 unit, as in JSON. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
}
