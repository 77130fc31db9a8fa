import { join } from 'node:path'
import type { Refusal } from '../../announcement/refusal.ts'
import { commandLine } from '../../product/command-line.ts'
import { actForRefusal, refusals } from '../../report/makers/refusal.ts'
import { inWords, Refused, type Words } from '../../shared/refused.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { FileProblem, NamedColumn } from '../../tables/problems.ts'
import { faultText } from '../../terminal/fault-text.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { printable } from '../../terminal/style.ts'
import type { BackUpRefusal } from '../../upkeep/refusal.ts'
import { notDecoded, some } from '../commands/table-words.ts'
import { sealInWords } from './back-ups.ts'

/**
 * An error in words, safe for a terminal. One that the operator can put right keeps its own words.
 */
export function errorInWords(error: unknown): string {
  if (error instanceof Refused) {
    const act = actForRefusal(error.why as Refusal)
    const helps = act?.command ? ` ${act.words}: ${commandLine(act.command)}` : ''
    return printable(inWords(all, error.why) + helps)
  }
  const isTheirs = error instanceof OperatorError || error instanceof StoreUnavailable
  return printable(isTheirs ? error.message : faultText(error))
}

const backUpRefusals: Words<BackUpRefusal> = {
  'other-back-up': () => 'Another back-up or rehearsal has been under way for ten minutes.',
  'no-copy': ({ folder }) => `There is no copy in ${folder}: backup makes one.`,
  'copy-folder': ({ folder, why, other }) => {
    const reasons = {
      missing: `is not there: make it with "mkdir -m 700 ${folder}"`,
      'no-folder': 'is no folder',
      inside: `is in ${other}; copies need a place of their own`,
      open: `others may look into it: run "chmod go-rwx ${folder}"`,
    }
    return `The folder for back-ups, ${folder}: ${reasons[why]}`
  },
  'from-later': ({ file, madeAt }) =>
    `${file} was made at ${madeAt.toISOString()}, and this machine's clock says ${new Date().toISOString()}. Set the clock right; if it is right, add --ignore-clock.`,
  'other-link-key': ({ dataDir }) =>
    `The copy was made with another link.key than ${join(dataDir, 'link.key')}, which is never replaced. If no letter has left from here yet, stop the server, keep what "${commandLine('export --all')}" prints, move everything in ${dataDir} away, and do this again.`,
  'list-in-use': ({ dataDir }) =>
    `The list in ${dataDir} is open. Stop the server, do this again, and start it: for the service, "systemctl stop opening-bell", and afterwards "systemctl start opening-bell".`,
  'not-sealed': ({ file, seal }) =>
    `${file} is not restored. ${sealInWords[seal]} If you have looked at it and want its people, add --trust.`,
}

const columnOptions: Readonly<Record<NamedColumn, string>> = {
  email: '--email-column',
  time: '--time-column',
  status: '--status-column',
  ignore: '--ignore-column',
}

const mistakes: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'a quote stands in a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'something stands between the end of a quote and the next cell',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE:
    'something stands between the end of a quote and the next cell',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_MAX_RECORD_SIZE: 'a row has more than a million characters, so a quote may not be closed',
}

/** Why a file is not read, or not to its end. */
const tableRefusals: Words<FileProblem> = {
  'utf-32': () => 'This is UTF-32: save it as CSV, in UTF-8.',
  archive: () => 'This is a workbook or an archive: unpack it, or save it as CSV.',
  'no-text': () => 'This is no text: save it as CSV, in UTF-8.',
  markup: () =>
    'This is a web page or XML, also if its name says otherwise: open it in a spreadsheet, and save it as CSV.',
  'json-as-csv': () => 'This is JSON: add --format json, or ndjson if each line is an entry.',
  'broken-name': () => `The name of a column ${notDecoded()}.`,
  'no-address-column': () =>
    'The first line has neither a column "email" nor an address. Name the column: --email-column',
  'unread-columns': ({ names }) =>
    `Nothing was changed: ${some(names)} may say who must not be written to. Name it with --status-column, with =left or =agreed behind the name where it says yes and no; or pass over it with --ignore-column.`,
  'not-json': () => 'This is not a JSON list of subscribers.',
  'long-json': () => 'This JSON has more than 20 million characters: save it as CSV.',
  'too-many-columns': () => 'This JSON has more than 1,000 names of fields: save it as CSV.',
  unreadable: ({ isFolder, answer }) =>
    `The file cannot be read: ${isFolder ? 'it is a folder' : answer}`,
  'no-such-column': ({ column, name, names }) =>
    `${columnOptions[column]}: there is no column "${name}". The columns: ${some(names)}.`,
  'not-csv': ({ mistake, line, exact }) =>
    `${exact ? '' : 'after '}line ${line}: ${mistakes[mistake] ?? mistake}: this is not a whole CSV file`,
}

/** The words for all that is refused below. */
const all: Words<Refusal | BackUpRefusal | FileProblem> = {
  ...refusals,
  ...backUpRefusals,
  ...tableRefusals,
}
