import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type CsvError, parse } from 'csv-parse'
import { parseEmail } from '../shared/email.ts'
import { type Format, unguarded } from './formats.ts'
import { Trouble } from './out.ts'

/** One subscriber as a file has it, not yet checked. */
export interface ImportLine {
  /** Where it stands, such as `line 12`. */
  readonly place: string
  readonly email: unknown
  /** `undefined` where the file says nothing about the time. */
  readonly subscribedAt: unknown
}

/** Reads a file of subscribers, one after the other. @throws Trouble when it is no such file. */
export function importLines(file: Readable, format: Format): AsyncIterable<ImportLine> {
  if (format === 'csv') return csvLines(file)
  return format === 'ndjson' ? ndjsonLines(file) : jsonLines(file)
}

async function* csvLines(file: Readable): AsyncIterable<ImportLine> {
  const records = file.pipe(parse({ bom: true, relaxColumnCount: true, info: true }))
  file.on('error', (error) => records.destroy(error))
  let columns: { email: number; subscribedAt: number } | undefined
  try {
    for await (const { record, info } of records) {
      const cells = (record as string[]).map((cell) => unguarded(cell.trim()))
      const isHead = columns === undefined && parseEmail(cells[0] ?? '') === undefined
      columns ??= isHead ? columnsOf(cells) : { email: 0, subscribedAt: 1 }
      if (isHead || cells.every((cell) => cell === '')) continue
      yield {
        place: `line ${info.lines}`,
        email: cells[columns.email] ?? '',
        subscribedAt: cells[columns.subscribedAt] || undefined,
      }
    }
  } catch (error) {
    const { code, message } = error as CsvError
    if (code?.startsWith('CSV_')) throw new Trouble(`This is not a whole CSV file: ${message}`)
    throw error
  }
}

function columnsOf(head: string[]) {
  const names = head.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const email = names.findIndex((name) => name === 'email' || name === 'emailaddress')
  if (email < 0) throw new Trouble('The first line names no column "email", nor is it an address.')
  return { email, subscribedAt: names.indexOf('subscribedat') }
}

async function* ndjsonLines(file: Readable): AsyncIterable<ImportLine> {
  let number = 0
  for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.trim() === '') continue
    yield { place: `line ${number}`, ...fieldsOf(parsed(line)) }
  }
}

async function* jsonLines(file: Readable): AsyncIterable<ImportLine> {
  const all = parsed(await text(file))
  if (!Array.isArray(all)) throw new Trouble('This is not a JSON list of subscribers.')
  for (const [i, one] of all.entries()) yield { place: `entry ${i + 1}`, ...fieldsOf(one) }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function fieldsOf(one: unknown) {
  const { email, subscribedAt } = (one ?? {}) as { email?: unknown; subscribedAt?: unknown }
  return { email, subscribedAt }
}
