import { FieldPath, type Query, type Timestamp } from '@google-cloud/firestore'
import type { FirestoreConnection } from './connection.ts'
import { earlier, type FirestoreRecords, isSignUp, isSubscribers, recordIn } from './records.ts'
import { EARLIEST, LATEST } from './stored-time.ts'

/** An address with its records as one. */
export interface MergedRecord {
  readonly email: string
  /** The first of them. */
  readonly at: Timestamp
  /** When its owner last signed up. */
  readonly last: Timestamp | undefined
  /** When its owner first signed up at the page; none of those who came by an import alone. */
  readonly page: Timestamp | undefined
  readonly records: number
}

/** Some of the addresses, and of these some of the records. */
export interface Part {
  /** The first address of the part, in Firestore's order. */
  readonly from?: string | undefined
  /** The first address after it. */
  readonly to?: string | undefined
  /** Only records since then. */
  readonly since?: Timestamp | undefined
  /** Only records from before then. */
  readonly before?: Timestamp | undefined
}

const PAGE = 2000
/**
 * If the last records of a page, at least this many, are of one address, its records are counted.
 */
const FLOOD = 100

/**
 * Every address once, in Firestore's order, in constant memory; also those that are no subscribers.
 * It costs one read a document. Of an address with hundreds of records, a page is read and the rest
 * is counted.
 *
 * @throws StoreUnavailable
 */
export async function* addressScan(
  { use }: FirestoreConnection,
  { collection, of }: FirestoreRecords,
  part: Part = {},
): AsyncIterable<MergedRecord> {
  const query = inOrder(collection, part).limit(PAGE)
  const isIn = ({ at }: { at: Timestamp }) => !(part.before && at >= part.before)
  let next = query
  let merged: MergedRecord | undefined
  for (;;) {
    const { docs } = await use(() => next.get())
    for (const document of docs) {
      const record = recordIn(document)
      if (!record || !isIn(record)) continue
      const { email, at, page } = record
      const one = { email, at, last: isSignUp(record) ? at : undefined, page, records: 1 }
      if (merged && merged.email !== email) {
        yield merged
        merged = one
      } else merged = merged ? together(merged, one) : one
    }
    const last = docs.at(-1)
    if (!last || docs.length < PAGE) break
    const email: string = last.get('email')
    if (docs.at(-FLOOD)?.get('email') === email) {
      const whole = await flooded(email)
      if (whole) merged = whole
      next = query.startAfter(email)
    } else next = query.startAfter(last)
  }
  if (merged) yield merged

  /** All records of one address that are in the part, without reading them. */
  async function flooded(email: string): Promise<MergedRecord | undefined> {
    const { since = EARLIEST, before = LATEST } = part
    const all = of(email).where('subscribedAt', '>=', since).where('subscribedAt', '<', before)
    const [first, newest, count] = await use(() =>
      Promise.all([
        all.orderBy('subscribedAt').limit(2).get(),
        all.orderBy('subscribedAt', 'desc').limit(2).get(),
        all.count().get(),
      ]),
    )
    const [oldest] = first.docs
    const record = oldest && recordIn(oldest)
    if (!record) return undefined
    const last = newest.docs.map(recordIn).find((one) => one && isSignUp(one))?.at
    // At most one of them is an import's.
    const page = first.docs
      .map(recordIn)
      .map((one) => one?.page)
      .reduce(earlier)
    return { email, at: record.at, last, page, records: count.data().count }
  }
}

/**
 * By address and then by fields that never change, so that additions move no record to another
 * page.
 */
function inOrder(collection: Query, part: Part): Query {
  // `before` alone leaves out few records, which are read as well: so no index is needed.
  if (!part.since)
    return rangeOf(collection, { from: part.from, to: part.to })
      .orderBy('email')
      .orderBy(FieldPath.documentId())
  return rangeOf(collection, part)
    .orderBy('email')
    .orderBy('subscribedAt')
    .orderBy(FieldPath.documentId())
}

/** The documents of a part, in no order: to be counted. */
export function rangeOf(collection: Query, { from = '', to, since, before }: Part): Query {
  let query = collection.where('email', '>=', from)
  if (to !== undefined) query = query.where('email', '<', to)
  // Invalid times are in no range.
  if (since || before) query = query.where('subscribedAt', '>=', since ?? EARLIEST)
  if (before) query = query.where('subscribedAt', '<', before)
  return query
}

export function together(one: MergedRecord, other: MergedRecord): MergedRecord {
  const { last } = other
  return {
    email: one.email,
    at: other.at < one.at ? other.at : one.at,
    last: last && !(one.last && last < one.last) ? last : one.last,
    page: earlier(one.page, other.page),
    records: one.records + other.records,
  }
}

/** The subscribers among addresses. */
export async function* subscribersAmong(
  addresses: AsyncIterable<MergedRecord>,
): AsyncIterable<MergedRecord> {
  for await (const one of addresses) if (isSubscribers(one.email)) yield one
}
