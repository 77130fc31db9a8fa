import { MOST } from '../../mail/read-message.ts'
import { inWords, type Words } from '../../shared/refused.ts'
import type { RowProblem } from '../../tables/problems.ts'
import type { ColumnsRead } from '../../tables/row-columns.ts'
import { textOf } from '../../tables/row-standing.ts'
import { grouped, quoted } from '../../terminal/words.ts'

/** Why a row is not taken, and what may be done about it. */
export const rowProblemInWords = (problem: RowProblem): string => inWords(rowProblems, problem)

const rowProblems: Words<RowProblem> = {
  'no-address': () => 'has no e-mail address',
  'not-an-address': ({ value }) => `${quoted(value)} is not an e-mail address`,
  'not-decoded': ({ encoding }) => notDecoded(encoding),
  'of-a-check': ({ email }) => `${email} comes from a check of the site, and is nobody's address`,
  'not-a-time': ({ value }) => `${quoted(value)} is not a time`,
  'day-or-month': ({ text }) => `${text} may be day or month first: say which, with --dates`,
  'to-come': ({ at }) => `${at.toISOString()} is in the future`,
  'before-1970': ({ at }) => `${at.toISOString()} is before 1970`,
  'unknown-standing': ({ word }) => `its status ${quoted(word)} is not known here`,
  // Such a cell should have no address, but cells may have moved.
  'unread-cell': ({ column, value }) =>
    `${textOf(value).includes('@') ? 'a cell' : quoted(value)} under ${quoted(column)} is neither a yes, a no nor a time`,
  'too-many-cells': () => 'has more cells than there are columns: one may need quotes around it',
  'several-addresses': () => 'has several addresses: put each on a line of its own',
  'cut-short': () => 'is cut short, so this may not be the whole file: get it once more',
  'never-confirmed': () => 'never confirmed that they want to be told',
  'no-proof': () => 'holds no unsubscribe link of ours, so anybody may have written it',
  cut: () =>
    `was not read whole: it has too many levels or header lines, or is a report of more than ${MOST} bytes`,
  'no-reason': () => 'no reason is given: add --as bounced, complained or unsubscribed',
}

/** What is done about the replacement character. UTF-8 can have it itself, where another tool lost a letter. */
export const notDecoded = (encoding = 'UTF-8') =>
  `has characters that are not ${encoding}. If they were lost before, add --encoding utf-8. Files of Excel need --encoding windows-1252`

/** A sentence on which columns are read. */
export function columnsInWords(read: ColumnsRead, areAccounts = false): string {
  const { email, times, standings, evidence, fields, sources, ignored } = read
  const untimed = `no times, so all count as ${areAccounts ? 'users from now on' : 'signed up now'}`
  const from = (what: string, names: readonly string[], none = '') =>
    names.length > 0 ? `${what} ${some(names)}` : none
  const ofPeople = [
    from('status from', standings, 'no column with a status'),
    from('evidence of consent from', evidence),
    ...fields.map(({ term, names }) => from(`${term} from`, names)),
    from('where they came from:', sources),
  ]
  return [
    from('Addresses from', email),
    from('times from', times, untimed),
    ...(areAccounts ? [] : ofPeople),
    from('ignored:', ignored),
  ]
    .filter(Boolean)
    .join('; ')
}

/** The line of a row that is not taken. */
export const refusedInWords = (place: string, why: string, isJson = false) =>
  `${isJson ? JSON.stringify({ place, refused: why }) : `${place}: ${why}`}\n`

const MOST_NAMES = 30
const LONGEST_NAME = 60

/** Names as words. A file may have many, and long ones. */
export function some(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST_NAMES)
    .map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name))
  const others = names.length - shown.length
  return shown.join(', ') + (others > 0 ? ` and ${grouped(others)} more` : '')
}
