import { type DocumentReference, Timestamp } from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { consentIn } from '../pending.ts'
import { cleanDetail } from '../standing.ts'
import {
  type ImportedStanding,
  type ImportedSubscriber,
  type ImportOutcome,
  isSelected,
  leftAt,
  noneOfEach,
  type Overview,
  type Selection,
  type SignUpSeen,
  type SubscriberList,
  type TimeRange,
} from '../subscriber-list.ts'
import { addressScan, type MergedRecord, subscribersAmong } from './address-scan.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestoreEventNotes } from './event-notes.ts'
import { afterHearing, fieldsOf, inForce, type Known, knownIn, withExtra } from './known.ts'
import { knownAddresses } from './known-addresses.ts'
import { allIn, departuresIn, knownBeyond } from './known-beyond.ts'
import type { FirestorePaths } from './paths.ts'
import { earlier, type FirestoreRecords, microseconds } from './records.ts'
import { withoutErased } from './referrals.ts'
import { inOrderOfSignUp } from './sign-up-order.ts'
import type { FirestoreStandings } from './standings.ts'
import { timestampIn } from './stored-time.ts'
import { summarised } from './summary.ts'
import { pagesAmong } from './summary-pages.ts'

/** Firestore's limit for a transaction; an import writes up to four documents for each address. */
const MOST_WRITES = Math.floor(500 / 4)

/** Reads every document for every range, since only all records of an address give its time. */
export function firestoreList(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  standings: FirestoreStandings,
  addressIds: AddressIds,
  notes: FirestoreEventNotes,
): SubscriberList {
  const { db, use, transaction } = connection
  const knownSince = knownAddresses(connection, records)
  const getAll = (documents: readonly DocumentReference[]) => db.getAll(...documents)

  async function* scanIn({ since, until }: TimeRange): AsyncIterable<MergedRecord> {
    const from = since?.getTime() ?? Number.NEGATIVE_INFINITY
    const to = until?.getTime() ?? Number.POSITIVE_INFINITY
    for await (const record of subscribersAmong(addressScan(connection, records))) {
      const time = record.at.toMillis()
      if (time >= from && time < to) yield record
    }
  }

  /** The subscribers of a range with their standings, in no order. */
  async function* scanKnown(range: TimeRange) {
    const beyond = await knownBeyond(connection, [allIn(paths)])
    try {
      for await (const record of scanIn(range)) {
        const known = beyond.isAny ? beyond.of(addressIds.of(record.email)) : undefined
        const { standing, at, detail } = (known && inForce(known, record.last)) ?? subscribed
        const { extra } = known ?? {}
        yield {
          record,
          beyond: {
            standing,
            ...(at && { standingAt: at }),
            ...(detail !== undefined && { detail }),
            ...(extra && { extra }),
          },
        }
      }
    } finally {
      beyond.close()
    }
  }

  async function* selected(selection: Selection) {
    for await (const one of scanKnown(selection))
      if (isSelected(one.beyond.standing, selection)) yield one
  }

  /** @param people one for each address. */
  async function importSome(
    people: readonly ImportedSubscriber[],
    isNews: boolean,
  ): Promise<[string, ImportOutcome][]> {
    const now = new Date()
    // The id is derived from the address, so that parallel imports make one document.
    const ids = people.map(({ email }) => addressIds.of(email))
    const entryRefs = ids.map((id) => standings.entries.doc(id))
    const recordRefs = ids.map((id) => records.collection.doc(id))
    const [imported, listed] = await use(() => Promise.all([getAll(recordRefs), getAll(entryRefs)]))
    // It must be certain whether a forgotten address is back.
    const isListed = ({ standing }: ImportedSubscriber, i: number) =>
      (listed[i]?.exists ?? false) || hasLeft(standing)
    const returned = await records.signUps(people.filter(isListed).map(({ email }) => email))
    // Documents of earlier imports are found by their ids.
    const isNew = (_: unknown, i: number) => !imported[i]?.exists
    const known = await knownSince(people.filter(isNew).map(({ email }) => email))

    return transaction(async (work) => {
      const [entries, before] = await Promise.all([
        work.getAll(...entryRefs),
        work.getAll(...recordRefs),
      ])
      const extras = await withoutErased(
        work,
        standings.entries,
        people.map(({ extra }) => extra),
      )
      const note = isNews ? await notes.read(work, ids) : () => {}
      const changed: string[] = []
      const writes: (() => void)[] = []
      const write = (ref: DocumentReference, { page, ...record }: Imported) => {
        changed.push(record.email)
        writes.push(() => work.set(ref, { ...record, ...(page && { signedUpAt: page }) }))
      }
      const outcomes = people.map((one, i): [string, ImportOutcome] => {
        const { email, standing, detail } = one
        const [entry, ref] = [entries[i], recordRefs[i]]
        const stands = knownIn(entry)
        const signUps = returned.get(email) ?? {}
        if (inForce(stands, signUps.last)?.standing === 'forgotten') return [email, 'forgotten']
        const subscribedAt = Timestamp.fromDate(one.subscribedAt)
        const left = timestampIn(before[i]?.get('subscribedAt'))
        const pageBefore = timestampIn(before[i]?.get('signedUpAt'))
        const { first } = signUps
        const since = [
          first ? microseconds(first) : returned.has(email) ? undefined : known.get(email),
          left && microseconds(left),
        ].filter((at) => at !== undefined)
        if (ref && !since.some((at) => at <= microseconds(subscribedAt))) {
          write(ref, { email, subscribedAt, page: earlier(pageOf(one), pageBefore) })
        } else if (ref && left && pageOf(one) && earlier(pageOf(one), pageBefore) !== pageBefore) {
          write(ref, { email, subscribedAt: left, page: pageOf(one) })
        }
        const isHeard = hasLeft(standing) && !(standing === 'quarantined' && since.length > 0)
        const heard = isHeard
          ? { standing, at: leftAt(one, now), detail: cleanDetail(detail) }
          : undefined
        const after = withExtra(heard ? afterHearing(stands, heard, signUps) : stands, extras[i])
        if (entry && after !== stands) {
          // Beside the standing: a file's robots are no news to the alarm about robots at the page.
          const isOfFile = heard?.standing === 'quarantined' && !one.signedUpAt
          const imported = isOfFile && { quarantineImportedAt: Timestamp.fromDate(heard.at) }
          const fields = { ...fieldsOf(after), ...imported }
          writes.push(() => work.set(entry.ref, fields, { merge: true }))
        }
        const seen = (known: Known, isOnList: boolean) => ({
          isOnList,
          standing: inForce(known, signUps.last)?.standing,
          confirmedAt: consentIn(known.extra)?.confirmedAt,
        })
        const types = notes.between([seen(stands, since.length > 0), seen(after, true)])
        if (types.length > 0) writes.push(() => note(addressIds.of(email), email, types))
        return [email, since.length > 0 ? 'known' : 'added']
      })
      // The stored pages lack an import whose time is before the last look, so they are dropped.
      for (const page of await pagesAmong(work, paths.summary, changed)) work.delete(page)
      for (const write of writes) write()
      return outcomes
    })
  }

  async function countByStanding(range: TimeRange = {}) {
    const counts = noneOfEach()
    for await (const { beyond } of scanKnown(range)) counts[beyond.standing] += 1
    return counts
  }

  /** The subscribers by the stored pages, without those who were forgotten and are not back. */
  async function* seen(): AsyncIterable<SignUpSeen & { readonly records: number }> {
    const beyond = await knownBeyond(connection, departuresIn(paths))
    try {
      for await (const one of subscribersAmong(summarised(connection, paths, records))) {
        const { email, at, last, page, records } = one
        const known = beyond.isAny ? beyond.of(addressIds.of(email)) : undefined
        const standing = (known && inForce(known, last))?.standing ?? 'subscribed'
        yield { email, subscribedAt: at.toDate(), signedUpAt: page?.toDate(), standing, records }
      }
    } finally {
      beyond.close()
    }
  }

  async function overview(since: Date, onSignUp: (one: SignUpSeen) => void): Promise<Overview> {
    const counts = noneOfEach()
    let [all, imported] = [0, 0]
    for await (const { records, ...one } of seen()) {
      const { subscribedAt, signedUpAt, standing } = one
      all += records
      counts[standing] += 1
      if (!signedUpAt && standing !== 'quarantined' && standing !== 'forgotten') imported += 1
      if (subscribedAt >= since || (signedUpAt && signedUpAt >= since)) onSignUp(one)
    }
    return { standings: counts, imported, records: all }
  }

  return {
    overview,
    async *signedUpBefore(time) {
      for await (const { records: _, ...one } of seen()) if (one.subscribedAt < time) yield one
    },
    stream: (selection = {}) => inOrderOfSignUp(selected(selection)),
    countByStanding,

    async countIn(selection) {
      let count = 0
      const found = selection.standing === 'all' ? scanIn(selection) : selected(selection)
      for await (const _ of found) count += 1
      return count
    },

    async importAll(subscribers, { isNews = true } = {}) {
      await standings.bind()
      const outcomes = new Map<string, ImportOutcome>()
      for await (const group of batches(onePerAddress(subscribers), MOST_WRITES))
        for (const [email, outcome] of await importSome(group, isNews)) outcomes.set(email, outcome)
      return subscribers.map(({ email }) => {
        const outcome = outcomes.get(email) ?? 'known'
        // The second of two equal addresses is known by then.
        if (outcome === 'added') outcomes.set(email, 'known')
        return outcome
      })
    },
  }
}

const subscribed = { standing: 'subscribed', at: undefined, detail: undefined } as const

function hasLeft(standing: ImportedSubscriber['standing']): standing is ImportedStanding {
  return standing !== undefined && standing !== 'subscribed'
}

interface Imported {
  readonly email: string
  readonly subscribedAt: Timestamp
  readonly page: Timestamp | undefined
}

const pageOf = ({ signedUpAt }: ImportedSubscriber) => signedUpAt && Timestamp.fromDate(signedUpAt)

/** One entry for each address: its earliest time, and the last value of all other fields. */
function onePerAddress(subscribers: readonly ImportedSubscriber[]): Iterable<ImportedSubscriber> {
  const people = new Map<string, ImportedSubscriber>()
  for (const one of subscribers) {
    if (isProbeAddress(one.email)) continue
    const other = people.get(one.email)
    const subscribedAt =
      other && other.subscribedAt < one.subscribedAt ? other.subscribedAt : one.subscribedAt
    people.set(one.email, { ...other, ...one, subscribedAt })
  }
  return people.values()
}
