import { fieldColumns } from '../people/known-fields.ts'
import type { ListedSubscriber } from '../store/subscriber-list.ts'
import type { ExportFormat } from './format-names.ts'

/** A format for writing a list: the text before, between and after its members. */
interface Writing {
  readonly begin: string
  /** Their source and the fields with a column may stand beside. */
  readonly one: (subscriber: ListedSubscriber) => string
  readonly between: string
  readonly end: string
}

/** The columns of CSV, with the names that `importLines` reads. */
const columns = ['email', 'subscribedAt', 'standing'] as const

const left = ['standingAt', 'detail'] as const
const source = ['source', 'medium', 'campaign'] as const

/** With when and why somebody left, what else is known of them, and fields that this version does not know. */
const fields = fieldColumns.map(({ name }) => name)
const columnsOfAll = [...columns, ...left, ...source, ...fields, 'extra']

function cellOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return csvCell(value && typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''))
}

/** @param isAll whether the list includes those who may not be mailed. */
export function writing(format: ExportFormat, isAll: boolean): Writing {
  if (format === 'json')
    return { begin: '[\n', one: (one) => `  ${JSON.stringify(one)}`, between: ',\n', end: '\n]\n' }
  if (format === 'ndjson')
    return { begin: '', one: (one) => JSON.stringify(one), between: '\n', end: '\n' }
  const names = isAll ? columnsOfAll : columns
  const [mark, between] = format === 'excel' ? ['\ufeff', '\t'] : ['', ',']
  // RFC 4180: every line ends with CR and LF.
  return {
    begin: `${mark}${names.join(between)}\r\n`,
    one: (subscriber) => {
      const values: Readonly<Record<string, unknown>> = { ...subscriber }
      return names.map((name) => cellOf(values[name])).join(between)
    },
    between: '\r\n',
    end: '\r\n',
  }
}

/**
 * A text as it stands in a file. Excel opens only UTF-16LE with its mark and with tabs as it is meant in
 * every language (wiki.scn.sap.com, "Excel files - CSV format"): between commas or semicolons it goes by
 * the machine's own separator, and a line `sep=` makes it forget that the file is UTF-8.
 */
export const encoded = (text: string, format: ExportFormat): string | Buffer =>
  format === 'excel' ? Buffer.from(text, 'utf16le') : text

/**
 * The beginning of a formula, or of one that was escaped before: its sign, perhaps after invisible
 * characters, or a character that splits a line. U+2212 is a minus that does not fold to the usual
 * one.
 */
const formula = /^'*[\t\r\n]|^['\p{C}\p{Z}\p{DI}]*[=+\-\u2212@]/u

/** Whether a spreadsheet would run it: they fold full-width characters, such as `＝`, to the usual ones. */
const isFormula = (text: string) => formula.test(text) || formula.test(text.normalize('NFKC'))

/**
 * A CSV cell. A formula gets an apostrophe in front, which `unguarded` removes. Semicolons and tabs
 * are quoted too: in some languages a spreadsheet takes them for the end of a cell.
 */
export function csvCell(text: string): string {
  const guarded = isFormula(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

export function unguarded(cell: string): string {
  return cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell
}
