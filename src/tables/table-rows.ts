import { pipeline, Readable } from 'node:stream'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import { parseEmail } from '../shared/email.ts'
import { boundedLines, decodedText } from './decoded-text.ts'
import type { Format } from './format-names.ts'
import { unguarded } from './formats.ts'
import { jsonEntries } from './json-entries.ts'
import { refused } from './problems.ts'
import { columnKind } from './standing-columns.ts'
import { unwrapped } from './unwrapped.ts'

/** A file with a table: CSV, ndjson or JSON. */
export interface TableFile {
  readonly file: Readable
  readonly format: Format
  /** A label of `TextDecoder`; without it UTF-8, or UTF-16 with a byte order mark. */
  readonly encoding?: string
}

export interface TableRow {
  /** Position in the file, such as `line 12`. */
  readonly place: string
  /** Names of the columns; `undefined` in a CSV file without a header. */
  readonly names: readonly string[] | undefined
  readonly cells: readonly unknown[]
  /** The last row, if it has fewer cells than there are names, and its line does not end. */
  readonly isCut?: boolean
}

/** @returns numbers for names where there is no header. */
export const namesOf = ({ names, cells }: TableRow): readonly string[] =>
  names ?? cells.map((_, i) => `column ${i + 1}`)

const LONGEST_ROW = 1_000_000
/** Of a cell between tabs, in characters; Excel's has 32,767. */
const LONGEST_CELL = 40_000
/** Enough of a file to know its separator by. */
const LONGEST_HEAD = 10_000
/** Deeper values can be read, but not written out again. */
const DEEPEST = 100
/** How deep a field may be for its name to be read. */
const DEEPEST_FIELD = 6
/** Of a list within a row, such as that of the lists that somebody is on. */
const MOST_LISTED = 20

/** Reads a table row by row, in bounded memory. @throws Refused when it is none. */
export function tableRows({ file, format, encoding }: TableFile): AsyncIterable<TableRow> {
  const text = decodedText(file, encoding)
  if (format === 'json') return jsonRows(text)
  return format === 'csv' ? csvRows(boundedLines(text)) : ndjsonRows(boundedLines(text))
}

async function* csvRows(text: AsyncIterable<string>): AsyncIterable<TableRow> {
  const { delimiter, whole, hasEnd } = await withDelimiter(text)
  let line = 0
  const records = parse({
    delimiter,
    // A blank may stand between a comma and a quote.
    trim: true,
    recordDelimiter: '\n',
    relaxColumnCount: true,
    // Millions of empty lines are passed over faster there than here.
    skipRecordsWithEmptyValues: true,
    info: true,
    maxRecordSize: LONGEST_ROW,
    onRecord: (record, { lines }) => {
      line = lines
      return record
    },
  })
  pipeline(Readable.from(delimiter === '\t' ? tabbed(whole) : whole), records, () => {})
  let names: string[] | undefined
  let isFirst = true
  let last: TableRow | undefined
  try {
    for await (const { record, info } of records as AsyncIterable<Parsed>) {
      const cells = record.map((cell) => unguarded(cell.trim()))
      if (isFirst && SEPARATOR.test(cells[0] ?? '')) continue
      const isHead = isFirst && !cells.some((cell) => parseEmail(cell) !== undefined)
      isFirst = false
      if (isHead) names = cells
      if (last) yield last
      last = isHead ? undefined : { place: `line ${info.lines}`, names, cells }
    }
    if (last) yield { ...last, isCut: !hasEnd() && last.cells.length < (names?.length ?? 0) }
  } catch (error) {
    throw csvError(error as CsvError, line)
  }
}

interface Parsed {
  readonly record: string[]
  readonly info: InfoRecord
}

/**
 * Puts each cell between tabs in the quotes of a CSV. The media type has none, and Google Sheets writes
 * them as text; Excel puts them around a cell that has a quote or several lines. So they count only
 * around a whole cell, which has no tab.
 */
async function* tabbed(text: AsyncIterable<string>): AsyncIterable<string> {
  const cells = /(?<=^|\n)(?: *("[^"]*(?:""[^"]*)*") *(?=\n|$)|[^\n]*"[^\n]*)/g
  const quoted = (piece: string) =>
    piece.replace(cells, (cell, whole) => whole ?? `"${cell.replaceAll('"', '""')}"`)
  let rest = ''
  for await (const chunk of text) {
    const pieces = (rest + chunk).split('\t')
    rest = pieces.pop() ?? ''
    for (const piece of pieces) yield `${quoted(piece)}\t`
    if (rest.length < LONGEST_CELL) continue
    const end = rest.lastIndexOf('\n') + 1
    yield quoted(rest.slice(0, end))
    rest = rest.slice(end)
  }
  yield quoted(rest)
}

/** The line `sep=` with which Excel names the separator. */
const SEPARATOR = /^sep=/i

/** Detects the separator in the first line: comma, semicolon or tab. @throws Refused for what is no CSV. */
async function withDelimiter(text: AsyncIterable<string>) {
  const isHead = (head: string) => head.length > LONGEST_HEAD || head.trimStart().includes('\n')
  const { head, whole, hasEnd } = await withHead(text, isHead)
  if (/^\s*<[!?a-z]/i.test(head)) throw refused({ code: 'markup' })
  if (/^\s*(?:\{|\[\s*[[{\]])/.test(head)) throw refused({ code: 'json-as-csv' })
  const [line = ''] = head.trimStart().split('\n')
  const outside = line.replace(/"[^"]*"/g, '')
  const count = (character: string) => outside.split(character).length
  const delimiter = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','

  return { delimiter, whole, hasEnd }
}

/** Reads a text until its beginning tells what it is. @returns also whether its last line ends. */
async function withHead(text: AsyncIterable<string>, isEnough: (head: string) => boolean) {
  const chunks = text[Symbol.asyncIterator]()
  let head = ''
  let next = await chunks.next()
  while (!next.done) {
    head += next.value
    if (isEnough(head)) break
    next = await chunks.next()
  }
  let last = head
  async function* whole() {
    yield head
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
      last = chunk || last
      yield chunk
    }
  }
  return { head, whole: whole(), hasEnd: () => last.endsWith('\n') }
}

/** @param line the number of the last complete line. */
function csvError(error: CsvError & { lines?: number }, line: number): Error {
  const { code: mistake, lines } = error
  if (!/^(CSV_)?(INVALID_|QUOTE_|NON_TRIMABLE_|MAX_RECORD)/.test(mistake)) return error
  const exact = mistake.includes('INVALID')
  return refused({ code: 'not-csv', mistake, line: exact ? (lines ?? line) : line, exact })
}

async function* ndjsonRows(text: AsyncIterable<string>): AsyncIterable<TableRow> {
  let number = 0
  let rest = ''
  const row = (line: string) => ({ place: `line ${number}`, ...fieldsOf(parsed(line)) })
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      number += 1
      if (line.trim() !== '') yield row(line)
    }
  }
  number += 1
  if (rest.trim() !== '') yield row(rest)
}

async function* jsonRows(text: AsyncIterable<string>): AsyncIterable<TableRow> {
  const isHead = (head: string) => head.length > LONGEST_ROW || /\S\s*\n\s*\S/.test(head)
  const { head, whole } = await withHead(text, isHead)
  // MongoDB writes an object a line, into files whose names end in .json as well.
  if (/^\s*\{.*\}[^\S\n]*\n\s*\{/.test(head)) return yield* ndjsonRows(boundedLines(whole))
  let number = 0
  for await (const entry of jsonEntries(whole)) {
    number += 1
    yield { place: `entry ${number}`, ...fieldsOf(parsed(entry)) }
  }
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return isDeeper(value, DEEPEST) ? undefined : value
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((one) => isDeeper(one, depth - 1))
}

/** The fields of an entry, and those within them: `flags.unsubscribed` says as much as `unsubscribed`. */
function fieldsOf(one: unknown) {
  const fields = [...fieldsIn(one, '')]
  return { names: fields.map(([name]) => name), cells: fields.map(([, cell]) => cell) }
}

function* fieldsIn(
  one: unknown,
  path: string,
  depth = 0,
): Generator<[name: string, cell: unknown]> {
  if (typeof one !== 'object' || one === null || depth > DEEPEST_FIELD) return
  for (const [key, value] of Object.entries(Array.isArray(one) ? one.slice(0, MOST_LISTED) : one)) {
    const cell = unwrapped(value)
    const kind = columnKind(path + key)
    const isWhole = key === 'extra' || (kind?.says === 'agreed' && !kind.isText)
    const within = isWhole ? [] : [...fieldsIn(cell, `${path}${key}.`, depth + 1)]
    // What is read within a column says more than all of it.
    const isRead = within.some(([name]) => columnKind(name)?.isUnclear === false)
    if (!kind || !isRead) yield [path + key, cell]
    yield* within
  }
}
