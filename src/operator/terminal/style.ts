import { randomUUID } from 'node:crypto'

/** Marks words up on a terminal that wants it, and leaves them as they are elsewhere. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly green: (text: string) => string
  readonly red: (text: string) => string
  readonly yellow: (text: string) => string
}

/** Nobody else knows it, so that no text from elsewhere can pass for a style of ours. */
const SECRET = randomUUID()
const marks = new RegExp(`\u001b${SECRET}(\\d+)m`, 'g')
const mark = (code: number) => `\u001b${SECRET}${code}m`

const painted = (code: number) => (text: string) => mark(code) + text + mark(code < 10 ? 22 : 39)

/** Text that is marked up with it becomes colours in `printable`, and nowhere else. */
export const colored: Style = {
  bold: painted(1),
  dim: painted(2),
  red: painted(31),
  green: painted(32),
  yellow: painted(33),
}

const asItIs = (text: string) => text
export const plain: Style = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
}

/** How many characters of a text are seen. */
export const visibleLength = (text: string) => text.replace(marks, '').length

/**
 * What of a text may reach a terminal: our own colours, line ends and tabs, but no other control or
 * format character, wherever the text comes from. Each is shown as `\u009b`, which JSON reads back.
 */
export function printable(text: string): string {
  return text
    .split(marks)
    .map((part, i) => (i % 2 === 1 ? `\u001b[${part}m` : part.replace(unprintable, escaped)))
    .join('')
}

// Joiners stay: they hold emoji and Persian words together, and cannot turn or hide anything.
const unprintable = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}](?<!\r(?=\n))/gu

/** By UTF-16 unit, as JSON has it. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
}
