import type { Subscriber } from '../shared/subscriber.ts'

export const formats = ['csv', 'ndjson', 'json'] as const

export type Format = (typeof formats)[number]

/** How a list is written: what comes before, between and after its members. */
interface Writing {
  readonly begin: string
  readonly one: (subscriber: Subscriber) => string
  readonly between: string
  readonly end: string
}

export const writings: Readonly<Record<Format, Writing>> = {
  // RFC 4180, which ends every line with CR and LF.
  csv: {
    begin: 'email,subscribedAt\r\n',
    one: ({ email, subscribedAt }) => `${csvCell(email)},${subscribedAt.toISOString()}`,
    between: '\r\n',
    end: '\r\n',
  },
  ndjson: { begin: '', one: (subscriber) => JSON.stringify(subscriber), between: '\n', end: '\n' },
  json: { begin: '[\n', one: (one) => `  ${JSON.stringify(one)}`, between: ',\n', end: '\n]\n' },
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
