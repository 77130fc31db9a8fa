import type { Words } from '../../shared/refused.ts'
import type { FileProblem, NamedColumn } from '../../tables/problems.ts'
import { some } from '../commands/table-words.ts'

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

/** Why a file is not read, or not to its end. */
export const tableRefusals: Words<FileProblem> = {
  'utf-32': () => 'This is UTF-32: save it as CSV, in UTF-8.',
  archive: () => 'This is a workbook or an archive: unpack it, or save it as CSV.',
  'no-text': () => 'This is no text: save it as CSV, in UTF-8.',
  'no-address-column': () =>
    'The first line has neither a column "email" nor an address. Name the column: --email-column',
  'not-json': () => 'This is not a JSON list of subscribers.',
  'long-entry': () => 'An entry is longer than a million characters, so this is no list.',
  'json-cut-off': () => 'The list does not end: this is not a whole JSON file.',
  unreadable: ({ isFolder, answer }) =>
    `The file cannot be read: ${isFolder ? 'it is a folder' : answer}`,
  'long-line': ({ line }) =>
    `line ${line}: is longer than a million characters, so this is no list`,
  'no-such-column': ({ column, name, names }) =>
    `${columnOptions[column]}: there is no column "${name}". There is ${some(names)}.`,
  'not-csv': ({ mistake, line, exact }) =>
    `${exact ? '' : 'after '}line ${line}: ${mistakes[mistake] ?? mistake}: this is not a whole CSV file`,
}
