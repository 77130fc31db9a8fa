import { pipeline, Readable } from 'node:stream'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import { parseEmail } from '../shared/email.ts'
import { decodedText } from './decoded-text.ts'
import type { Format } from './format-names.ts'
import { unguarded } from './formats.ts'
import { refused } from './problems.ts'

/** A file with a table: CSV, ndjson or JSON. */
export interface TableFile {
  readonly file: Readable
  readonly format: Format
  /** A label of `TextDecoder`; without it UTF-8, or UTF-16 with a byte order mark. */
  readonly encoding?: string
}

/** The names are the same in all rows of a file. */
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
/** Enough of a file to know its separator by. */
const LONGEST_HEAD = 10_000
/** Characters of JSON, which is read whole: parsed, it takes twenty times its size in memory. */
const MOST_JSON = 20_000_000
/** A list has fewer columns. */
const MOST_NAMES = 1000
/** Deeper values can be read, but not written out again. */
const DEEPEST = 100
/** How deep a field may be for its name to be read. */
const DEEPEST_FIELD = 6
/** Of a list within a row, such as that of the lists that somebody is on. */
const MOST_LISTED = 20
/** How deep an API wraps a list in its answer. */
const DEEPEST_LIST = 2

/** Reads a table row by row, in bounded memory. @throws Refused when it is none. */
export function tableRows({ file, format, encoding }: TableFile): AsyncIterable<TableRow> {
  const text = decodedText(file, encoding)
  return format === 'csv' ? csvRows(text) : jsonRows(text, format)
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
  pipeline(Readable.from(whole), records, () => {})
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

/** The line `sep=` with which Excel names the separator. */
const SEPARATOR = /^sep=/i

/** Detects the separator in the first line: comma, semicolon or tab. @throws Refused for what is no CSV. */
async function withDelimiter(text: AsyncIterable<string>) {
  const chunks = text[Symbol.asyncIterator]()
  let head = ''
  while (head.length < LONGEST_HEAD && !head.trimStart().includes('\n')) {
    const { value, done } = await chunks.next()
    if (done) break
    head += value
  }
  if (/^\s*<[!?a-z]/i.test(head)) throw refused({ code: 'markup' })
  if (/^\s*(?:\{|\[\s*[[{\]])/.test(head)) throw refused({ code: 'json-as-csv' })
  const [line = ''] = head.trimStart().split('\n')
  const outside = line.replace(/"[^"]*"/g, '')
  const count = (character: string) => outside.split(character).length
  const delimiter = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','

  let last = head
  async function* whole() {
    yield head
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
      last = chunk || last
      yield chunk
    }
  }
  return { delimiter, whole: whole(), hasEnd: () => last.endsWith('\n') }
}

/** @param line the number of the last complete line. */
function csvError(error: CsvError & { lines?: number }, line: number): Error {
  const { code: mistake, lines } = error
  if (!/^(CSV_)?(INVALID_|QUOTE_|NON_TRIMABLE_|MAX_RECORD)/.test(mistake)) return error
  const exact = mistake.includes('INVALID')
  return refused({ code: 'not-csv', mistake, line: exact ? (lines ?? line) : line, exact })
}

/**
 * A row for each entry of a list, each with the names of all, since an entry says something by what it
 * lacks.
 */
async function* jsonRows(
  text: AsyncIterable<string>,
  format: 'json' | 'ndjson',
): AsyncIterable<TableRow> {
  const whole = await readWhole(text)
  const listed = format === 'json' ? listIn(parsed(whole)) : undefined
  // MongoDB writes an object a line, into files whose names end in .json as well.
  if (!listed && format === 'json' && !/^\s*\{.*\}\s*$/s.test(whole))
    throw refused({ code: 'not-json' })
  const entries = listed ?? whole.split('\n').map((line) => line.trim() && (parsed(line) ?? null))
  const fields = (entry: unknown) => new Map(fieldsIn(entry))
  const names = [...new Set(entries.flatMap((entry) => [...fields(entry).keys()]))]
  if (names.length > MOST_NAMES) throw refused({ code: 'too-many-columns' })
  for (const [at, entry] of entries.entries()) {
    if (entry === '') continue
    const cells = fields(entry)
    const place = `${listed ? 'entry' : 'line'} ${at + 1}`
    yield { place, names, cells: names.map((name) => cells.get(name)) }
  }
}

/** @throws Refused for more than is read. */
async function readWhole(text: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const chunk of text) {
    whole += chunk
    if (whole.length > MOST_JSON) throw refused({ code: 'long-json' })
  }
  return whole
}

/** A list, or the first one within an API's answer. */
function listIn(value: unknown, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || depth === DEEPEST_LIST) return undefined
  return Object.values(value)
    .map((one) => listIn(one, depth + 1))
    .find(Boolean)
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

/** The fields of an entry, also those within others: `flags.unsubscribed` says as much as `unsubscribed`. */
function* fieldsIn(
  entry: unknown,
  path = '',
  depth = 0,
): Generator<readonly [name: string, cell: unknown]> {
  if (typeof entry !== 'object' || entry === null) return
  const within = Array.isArray(entry) ? entry.slice(0, MOST_LISTED) : entry
  for (const [key, cell] of Object.entries(within)) {
    const isWhole = key === 'extra' || depth === DEEPEST_FIELD
    if (typeof cell !== 'object' || isWhole) yield [path + key, cell]
    else yield* fieldsIn(cell, `${path}${key}.`, depth + 1)
  }
}
