import type { ListedSubscriber } from '../../store/subscriber-list.ts'

export const formats = ['csv', 'ndjson', 'json'] as const

export type Format = (typeof formats)[number]

/** How a list is written: what comes before, between and after its members. */
interface Writing {
  readonly begin: string
  readonly one: (subscriber: ListedSubscriber) => string
  readonly between: string
  readonly end: string
}

/** The columns of CSV, and what `importLines` knows them by. */
const columns: Readonly<Record<string, (one: ListedSubscriber) => string>> = {
  email: ({ email }) => csvCell(email),
  subscribedAt: ({ subscribedAt }) => subscribedAt.toISOString(),
  standing: ({ standing }) => standing,
}

/** What is known of those alone who left, and what another version knew. */
const columnsOfAll: typeof columns = {
  ...columns,
  standingAt: ({ standingAt }) => standingAt?.toISOString() ?? '',
  detail: ({ detail = '' }) => csvCell(detail),
  extra: ({ extra }) => csvCell(extra ? JSON.stringify(extra) : ''),
}

/** @param isAll whether those are on it who may not be written to. */
export function writing(format: Format, isAll: boolean): Writing {
  if (format === 'json')
    return { begin: '[\n', one: (one) => `  ${JSON.stringify(one)}`, between: ',\n', end: '\n]\n' }
  if (format === 'ndjson')
    return { begin: '', one: (one) => JSON.stringify(one), between: '\n', end: '\n' }
  const cells = Object.entries(isAll ? columnsOfAll : columns)
  // RFC 4180, which ends every line with CR and LF.
  return {
    begin: `${cells.map(([name]) => name).join(',')}\r\n`,
    one: (subscriber) => cells.map(([, cell]) => cell(subscriber)).join(','),
    between: '\r\n',
    end: '\r\n',
  }
}

/** What a spreadsheet would run; and what would be taken for such a cell when it is read back. */
const formula = /^'*[=+\-@\t\r]/

/** A cell that would run as a formula gets one apostrophe more; `unguarded` takes it away again. */
export function csvCell(text: string): string {
  const guarded = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

export function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
