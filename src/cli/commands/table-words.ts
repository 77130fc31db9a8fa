import {
  type FileProblem,
  type NamedColumn,
  type RowProblem,
  TableRefused,
} from '../../tables/problems.ts'
import type { ColumnsRead } from '../../tables/row-columns.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { grouped, quoted } from '../../terminal/words.ts'

/** Why a row is not taken, and what may be done about it. */
export function rowProblemInWords(problem: RowProblem): string {
  switch (problem.code) {
    case 'no-address':
      return 'has no e-mail address'
    case 'not-an-address':
      return `${quoted(problem.value)} is not an e-mail address`
    case 'not-utf-8':
      return 'has characters that are not UTF-8. Excel writes such files: try --encoding windows-1252'
    case 'of-a-check':
      return `${problem.email} comes from a check of the site, and is nobody's address`
    case 'not-a-time':
      return `${quoted(problem.value)} is not a time`
    case 'day-or-month':
      return `${problem.text} may be day or month first: say which, with --dates`
    case 'to-come':
      return `${problem.at.toISOString()} is in the future`
    case 'before-1970':
      return `${problem.at.toISOString()} is before 1970`
    case 'unknown-standing':
      return `its standing ${quoted(problem.word)} is not known here`
    case 'never-confirmed':
      return 'never confirmed that they want to be told'
    case 'no-reason':
      return 'no reason is given: add --as bounced, complained or unsubscribed'
  }
}

const files: Readonly<Partial<Record<FileProblem['code'], string>>> = {
  'utf-32': 'This is UTF-32: save it as CSV, in UTF-8.',
  archive: 'This is a workbook or an archive: unpack it, or save it as CSV.',
  'no-text': 'This is no text: save it as CSV, in UTF-8.',
  'no-address-column':
    'The first line has neither a column "email" nor an address. Name the column: --email-column',
  'not-json': 'This is not a JSON list of subscribers.',
  'long-entry': 'An entry is longer than a million characters, so this is no list.',
  'json-cut-off': 'The list does not end: this is not a whole JSON file.',
}

const columnOptions: Readonly<Record<NamedColumn, string>> = {
  email: '--email-column',
  time: '--time-column',
  status: '--status-column',
}

const mistakes: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'a quote stands in a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'something stands between the end of a quote and the next cell',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_MAX_RECORD_SIZE: 'a row has more than a million characters, so a quote may not be closed',
}

/** Passes rows on, and puts into words why there are no more. @throws OperatorError */
export async function* orInWords<T>(rows: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* rows
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error
    throw new OperatorError(fileProblemInWords(error.problem), { cause: error })
  }
}

function fileProblemInWords(problem: FileProblem): string {
  if (problem.code === 'unreadable')
    return `The file cannot be read: ${problem.isFolder ? 'it is a folder' : problem.answer}`
  if (problem.code === 'long-line')
    return `line ${problem.line}: is longer than a million characters, so this is no list`
  if (problem.code === 'no-such-column')
    return `${columnOptions[problem.column]}: there is no column "${problem.name}". There is ${some(problem.names)}.`
  if (problem.code === 'not-csv')
    return `${problem.exact ? '' : 'after '}line ${problem.line}: ${mistakes[problem.mistake] ?? problem.mistake}: this is not a whole CSV file`
  return files[problem.code] ?? problem.code
}

/** A sentence on which columns are read. */
export function columnsInWords({ email, times, standings, ignored }: ColumnsRead): string {
  return [
    `Addresses from ${email}`,
    times.length > 0 ? `times from ${some(times)}` : 'no times, so all sign up now',
    standings.length > 0 ? `standing from ${some(standings)}` : 'no standings',
    ...(ignored.length > 0 ? [`ignored: ${some(ignored)}`] : []),
  ].join('; ')
}

const MOST_NAMES = 30
const LONGEST_NAME = 60

/** Names as words. A file may have many, and long ones. */
function some(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST_NAMES)
    .map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name))
  const others = names.length - shown.length
  return shown.join(', ') + (others > 0 ? ` and ${grouped(others)} more` : '')
}
