import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  type CollectionReference,
  type DocumentReference,
  type DocumentSnapshot,
  Timestamp,
  type Transaction,
} from '@google-cloud/firestore'
import type { MergedRecord } from './address-scan.ts'
import { microseconds } from './records.ts'
import { timestampIn } from './stored-time.ts'

/** All addresses of a range, each with its records merged: one document for a thousand others. */
export interface Sheet {
  readonly from: string
  /** The first text beyond it; the last sheet has none. */
  readonly to: string | undefined
  readonly addresses: readonly MergedRecord[]
}

/** A stored sheet, parsed only when it is needed. */
export interface SummaryPage extends Omit<Sheet, 'addresses'> {
  readonly document: DocumentSnapshot
  /** It covers all records from before then. */
  readonly asOf: Timestamp
  /** How many these are. */
  readonly records: number
  /** @returns `undefined` for a page that cannot be read. */
  addresses(): MergedRecord[] | undefined
}

const ADDRESSES = 1000

/** @returns nothing for a document without a range. */
export function pageIn(document: DocumentSnapshot): SummaryPage[] {
  const { from, to, asOf, records, addresses } = document.data() ?? {}
  const isRange = typeof from === 'string' && (to === null || typeof to === 'string')
  if (!isRange || !timestampIn(asOf) || !Number.isSafeInteger(records)) return []
  const page = { document, from, to: to ?? undefined, asOf, records }
  return [{ ...page, addresses: () => addressesIn(addresses) }]
}

function addressesIn(packed: unknown): MergedRecord[] | undefined {
  try {
    const rows: unknown[] = JSON.parse(gunzipSync(packed as Buffer).toString())
    return rows.map((row) => {
      const [email, at, last, records, page] = row as [
        ...[string, number, number | null, number],
        number | null,
      ]
      const time = timestampIn(timestampOf(at))
      if (typeof email !== 'string' || !time) throw new Error('This is no address.')
      const [signedUp, first] = [last, page].map((one) =>
        one === null ? undefined : timestampOf(one),
      )
      return { email, at: time, last: signedUp, page: first, records }
    })
  } catch {
    return undefined
  }
}

/** The fields of a page's document. */
export function fieldsOfSheet({ from, to, addresses }: Sheet, asOf: Timestamp) {
  const rows = addresses.map(({ email, at, last, records, page }) => [
    email,
    microseconds(at),
    last ? microseconds(last) : null,
    records,
    page ? microseconds(page) : null,
  ])
  const records = addresses.reduce((sum, one) => sum + one.records, 0)
  return {
    from,
    to: to ?? null,
    asOf,
    records,
    addresses: gzipSync(JSON.stringify(rows)),
  }
}

/** The same id for the same beginning, so that the second of two writers fails. */
export function sheetId(from: string): string {
  return createHash('sha256').update(from).digest('hex')
}

/** For more addresses, all pages are read at once. */
const FEW = 10

/** The pages of some addresses, to be dropped when these change; one read for each page. */
export async function pagesAmong(
  work: Transaction,
  summary: CollectionReference,
  emails: readonly string[],
): Promise<DocumentReference[]> {
  const bounds = summary.orderBy('from', 'desc').select('from', 'to')
  const answers =
    emails.length > FEW
      ? [await work.get(bounds)]
      : await Promise.all(
          emails.map((email) => work.get(bounds.where('from', '<=', email).limit(1))),
        )
  const isIn = (email: string, from: string, to: string | null) =>
    inOrder(email, from) >= 0 && (to === null || inOrder(email, to) < 0)
  const found = answers
    .flatMap(({ docs }) => docs)
    .filter((page) => emails.some((email) => isIn(email, page.get('from'), page.get('to'))))
  return [...new Map(found.map(({ id, ref }) => [id, ref])).values()]
}

/**
 * Cuts a range into sheets. No bound is an address, so a forgotten address is gone with its page.
 *
 * @param addresses in Firestore's order.
 */
export async function* sheetsOf(
  addresses: AsyncIterable<MergedRecord> | Iterable<MergedRecord>,
  range: Pick<Sheet, 'from' | 'to'>,
): AsyncIterable<Sheet> {
  let { from } = range
  let some: MergedRecord[] = []
  for await (const one of addresses) {
    const before = some.length < ADDRESSES ? undefined : some.at(-1)?.email
    const bound = before === undefined ? undefined : between(before, one.email)
    if (bound !== undefined) {
      yield { from, to: bound, addresses: some }
      from = bound
      some = []
    }
    some.push(one)
  }
  yield { from, to: range.to, addresses: some }
}

/** The shortest text after one address and before another; none if only the other itself fits. */
function between(one: string, other: string): string | undefined {
  const [before, after] = [[...one], [...other]]
  const same = after.findIndex((letter, i) => letter !== before[i])
  const bound = after.slice(0, same + 1).join('')
  return bound === other ? undefined : bound
}

/** Firestore's order of texts, which differs from JavaScript's. */
export function inOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function timestampOf(microseconds: number): Timestamp {
  const seconds = Math.floor(microseconds / 1e6)
  return new Timestamp(seconds, (microseconds - seconds * 1e6) * 1000)
}
