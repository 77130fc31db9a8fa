import type { DocumentSnapshot, QueryDocumentSnapshot, WriteBatch } from '@google-cloud/firestore'
import { batches } from '../../shared/batches.ts'
import { addressScan, type MergedRecord, rangeOf, together } from './address-scan.ts'
import type { FirestoreConnection } from './connection.ts'
import { grpc } from './outage.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreRecords } from './records.ts'
import { type Stretch, stretchesOf } from './stretches.ts'
import {
  fieldsOfSheet,
  inOrder,
  pageIn,
  type Sheet,
  type SummaryPage,
  sheetId,
  sheetsOf,
} from './summary-pages.ts'

const PAGES_AT_ONCE = 50
const REPLACED_AT_ONCE = 10
/** A commit may have at most ten megabytes. */
const MOST_SHEETS = 50

/**
 * Every address once, as `addressScan` gives them, for a fraction of the reads: from the pages that
 * the last look stored, and the records since. A page is valid while Firestore counts as many
 * records in its range as the page covers. So records that were erased, imported or committed late
 * are noticed, and only their page is read again. Two looks may run at the same time, and each may
 * be stopped.
 *
 * @throws StoreUnavailable
 */
export async function* summarised(
  connection: FirestoreConnection,
  { summary }: FirestorePaths,
  records: FirestoreRecords,
): AsyncIterable<MergedRecord> {
  const { db, use } = connection
  const { pages, now } = await keptPages()
  let hasWritten = false
  for (const stretch of stretchesOf(pages))
    for await (const part of checked(stretch)) yield* part.asOf ? broughtUp(part) : readAnew(part)
  if (hasWritten) await dropOutdated()

  async function keptPages() {
    const query = summary.orderBy('from').limit(PAGES_AT_ONCE)
    let found = await use(() => query.get())
    // By Firestore's clock. Records from before then are visible now, except late commits.
    const now = found.readTime
    const pages = found.docs.flatMap(pageIn)
    while (found.size === PAGES_AT_ONCE) {
      const last = found.docs.at(-1) as QueryDocumentSnapshot
      found = await use(() => query.startAfter(last).get())
      pages.push(...found.docs.flatMap(pageIn))
    }
    return { pages, now }
  }

  async function count(part: Parameters<typeof rangeOf>[1]): Promise<number> {
    const answer = await use(() => rangeOf(records.collection, part).count().get())
    return answer.data().count
  }

  /** Divides a stretch until each part is valid, or has to be read again. */
  async function* checked(stretch: Stretch): AsyncIterable<Stretch> {
    const { from, to, asOf, pages } = stretch
    if (!asOf) return yield stretch
    const kept = pages.reduce((sum, page) => sum + page.records, 0)
    const found = await count({ from, to, before: asOf })
    if (found === kept) return yield stretch
    // Searching for many invalid pages takes longer than reading all pages.
    if (pages.length === 1 || Math.abs(found - kept) > pages.length / 4)
      return yield { ...stretch, asOf: undefined }
    const half = Math.ceil(pages.length / 2)
    const bound = pages[half]?.from ?? ''
    yield* checked({ ...stretch, to: bound, pages: pages.slice(0, half) })
    yield* checked({ ...stretch, from: bound, pages: pages.slice(half) })
  }

  /** Adds the records since. */
  async function* broughtUp({ from, to, asOf, pages }: Stretch): AsyncIterable<MergedRecord> {
    const part = { from, to, since: asOf, before: now }
    if ((await count(part)) === 0) {
      for (const page of pages) yield* page.addresses() ?? (await addressesOf(page))
      return
    }
    const fresh = addressScan(connection, records, part)[Symbol.asyncIterator]()
    let next = await fresh.next()
    for await (const some of batches(pages, REPLACED_AT_ONCE)) {
      const replaced: [SummaryPage, Sheet][] = []
      for (const page of some) {
        const known = page.addresses()
        const all = new Map((known ?? (await addressesOf(page))).map((one) => [one.email, one]))
        while (!next.done && (page.to === undefined || inOrder(next.value.email, page.to) < 0)) {
          const { email } = next.value
          const before = all.get(email)
          // An address that was just read has its new record already.
          if (known) all.set(email, before ? together(before, next.value) : next.value)
          next = await fresh.next()
        }
        const addresses = [...all.values()].toSorted((a, b) => inOrder(a.email, b.email))
        replaced.push([page, { from: page.from, to: page.to, addresses }])
      }
      await Promise.all(replaced.map(([page, sheet]) => replace(page, sheet)))
      for (const [, { addresses }] of replaced) yield* addresses
    }
  }

  /** Reads the addresses of a page that cannot be parsed. */
  async function addressesOf({ from, to }: SummaryPage): Promise<MergedRecord[]> {
    const all: MergedRecord[] = []
    for await (const one of addressScan(connection, records, { from, to, before: now }))
      all.push(one)
    return all
  }

  /** Writes a page again, or the several that it has grown into. */
  async function replace({ document }: SummaryPage, whole: Sheet) {
    const sheets: Sheet[] = []
    for await (const sheet of sheetsOf(whole.addresses, whole)) sheets.push(sheet)
    await commit((batch) => {
      const [first, ...others] = sheets
      if (!first || sheets.length > MOST_SHEETS) batch.delete(document.ref, unchanged(document))
      else {
        batch.update(document.ref, fieldsOfSheet(first, now), unchanged(document))
        for (const other of others) create(batch, other)
      }
    })
  }

  async function* readAnew({ from, to, pages }: Stretch): AsyncIterable<MergedRecord> {
    let isOurs = await drop(pages)
    const addresses = addressScan(connection, records, { from, to, before: now })
    for await (const sheet of sheetsOf(addresses, { from, to })) {
      // If another look was first with the first page, that look goes on.
      if (isOurs) isOurs = await commit((batch) => create(batch, sheet))
      yield* sheet.addresses
    }
  }

  function create(batch: WriteBatch, sheet: Sheet) {
    batch.create(summary.doc(sheetId(sheet.from)), fieldsOfSheet(sheet, now))
  }

  async function drop(pages: readonly SummaryPage[]): Promise<boolean> {
    let isDone = true
    for await (const some of batches(pages, PAGES_AT_ONCE)) {
      const isGone = await commit((batch) => {
        for (const { document } of some) batch.delete(document.ref, unchanged(document))
      })
      isDone &&= isGone
    }
    return isDone
  }

  /** @returns `false` if another look was first, or this operator may only read. */
  async function commit(fill: (batch: WriteBatch) => void): Promise<boolean> {
    const batch = db.batch()
    fill(batch)
    const isDone = await use(() => batch.commit().then(() => true, unlessKept))
    hasWritten ||= isDone
    return isDone
  }

  /** Drops pages with addresses that were forgotten between our reading and our writing. */
  async function dropOutdated() {
    const { pages } = await keptPages()
    for (const stretch of stretchesOf(pages))
      for await (const { asOf, pages } of checked(stretch)) if (!asOf) await drop(pages)
  }
}

function unchanged({ updateTime }: DocumentSnapshot) {
  return updateTime ? { lastUpdateTime: updateTime } : {}
}

/**
 * Ignores that a page was not stored: another look was first, writing is not allowed, or the page
 * is too large.
 */
function unlessKept(error: { code?: number }): false {
  const { notFound, alreadyExists, failedPrecondition, permissionDenied, invalidArgument } = grpc
  const expected = [notFound, alreadyExists, failedPrecondition, permissionDenied, invalidArgument]
  if (expected.includes(error.code ?? 0)) return false
  throw error
}
