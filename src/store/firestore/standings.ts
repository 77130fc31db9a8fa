import {
  type CollectionReference,
  type DocumentReference,
  FieldValue,
  type Timestamp,
  type Transaction,
} from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import type { EventType } from '../../shared/event-types.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import type { Extra } from '../extra.ts'
import { withStillInterested } from '../known-fields.ts'
import { consentIn, pendingFrom } from '../pending.ts'
import { cleanDetail, type Forgotten, isLiftedBySignUp, type Standings } from '../standing.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { takenIn } from './browser-requests.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestoreEventNotes } from './event-notes.ts'
import { afterHearing, fieldsOf, inForce, knownIn } from './known.ts'
import { eraseAll, IN_A_BATCH } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import { type FirestoreRecords, recordsIn } from './records.ts'
import { eraseReferralsBy } from './referrals.ts'
import { pagesAmong } from './summary-pages.ts'

const THINNED_AT_ONCE = 10 * IN_A_BATCH
/** The records and the requests of one transaction leave room for other writes. */
const MOST_RECORDS = 200
/** An address with more waiting requests is erased on a condition only after some have left. */
export const MOST_REQUESTS = 200

/** @returns the requests that wait, up to `MOST_REQUESTS`; `undefined` where the address stays. */
type May = (work: Transaction) => Promise<readonly DocumentReference[] | undefined>

export interface FirestoreStandings extends Standings {
  readonly entries: CollectionReference
  /** Refuses another key for address ids than the first one. @throws StoreUnavailable */
  bind(): Promise<void>
  /**
   * Changes the fields of somebody who has confirmed, or is on the list and was sent a letter.
   *
   * @param happened what other systems are told then, if they count. @throws StoreUnavailable
   */
  changeFields(
    addressId: string,
    change: (extra: Extra | undefined) => Extra,
    happened?: readonly EventType[],
  ): Promise<void>
  /**
   * Forgets an address if `may` says so, in the transaction that erases it, with its requests that
   * `may` names. @returns whether it did.
   */
  forgetIf(email: string, may: May): Promise<boolean>
  /** @returns the ids of those of some addresses that were forgotten, and are not back. */
  forgottenAmong(work: Transaction, emails: readonly string[]): Promise<Set<string>>
}

export function firestoreStandings(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  addressIds: AddressIds,
  notes: FirestoreEventNotes,
): FirestoreStandings {
  const { db, use, transaction } = connection
  const { suppressions: entries } = paths
  let bound: Promise<void> | undefined

  function bind(): Promise<void> {
    bound ??= bindTo(connection, paths.linkKey, addressIds.fingerprint)
    bound.catch(() => {
      bound = undefined
    })
    return bound
  }

  /**
   * Erases repeats of an address that has more records than one transaction can erase. Its first
   * record, which has the time of the sign-up, and its last, which may lift an earlier standing,
   * stay to the end: a run that stops halfway has lost only repeats.
   */
  async function thin(email: string) {
    const [first, last] = await Promise.all([records.firstOf(email), records.last(email)])
    const isLater = (at: Timestamp) => last !== undefined && at > last
    for (;;) {
      const page = records.of(email).select('subscribedAt').limit(THINNED_AT_ONCE)
      const { docs } = await use(() => page.get())
      if (docs.length < MOST_RECORDS) return
      const lastId = docs.find((one) => last?.isEqual(one.get('subscribedAt')))?.id
      const repeats = docs
        .filter(({ id }) => id !== first?.id && id !== lastId)
        .filter((one) => !isLater(one.get('subscribedAt')))
        .map(({ ref }) => ref)
      const groups = []
      for await (const group of batches(repeats, IN_A_BATCH)) groups.push(group)
      await Promise.all(
        groups.map((group) => {
          const batch = db.batch()
          for (const ref of group) batch.delete(ref)
          return use(() => batch.commit())
        }),
      )
    }
  }

  /** In the order in which requests become letters, so that none is missed in between. */
  async function emptyOutbox(email: string) {
    const of = (collection: CollectionReference) => collection.where('email', '==', email)
    await eraseAll(connection, of(paths.browserRequests), (batch, ref) =>
      batch.update(ref, takenIn),
    )
    await eraseAll(connection, of(paths.outbox))
  }

  /** @returns `undefined` where visitors have left more of them meanwhile than it can erase. */
  function erase(
    email: string,
    may: May = async () => [],
  ): Promise<Forgotten | 'kept' | undefined> {
    const addressId = addressIds.of(email)
    return transaction(async (work) => {
      const requests = await may(work)
      if (!requests) return 'kept'
      const [announcements, found, asked, summary] = await Promise.all([
        work.get(paths.announcements.select()),
        work.get(records.of(email).limit(MOST_RECORDS)),
        work.get(paths.pending.doc(addressId)),
        pagesAmong(work, paths.summary, [email]),
      ])
      if (found.size === MOST_RECORDS) return undefined
      const ledgers = announcements.docs.map(({ id }) => paths.deliveries(id))
      const rows = (
        await Promise.all(ledgers.map((ledger) => work.get(ledger.doc(addressId))))
      ).filter(({ exists }) => exists)

      const noteErased = await notes.readForErasing(work, addressId)

      noteErased()
      const time = { forgottenAt: FieldValue.serverTimestamp() }
      work.set(entries.doc(addressId), time)
      work.delete(paths.pending.doc(addressId))
      work.delete(paths.sources.doc(addressId))
      const theirs = found.docs.map(({ ref }) => ref)
      for (const ref of [...theirs, ...requests, ...summary]) work.delete(ref)
      for (const row of rows) {
        // The new id is random, so it cannot be derived from the address.
        const { tries } = row.data() as { tries: number }
        const changedAt = FieldValue.serverTimestamp()
        work.create(row.ref.parent.doc(), { status: 'forgotten', tries, changedAt })
        work.delete(row.ref)
      }
      const wasSubscriber = recordsIn(found).length > 0
      return { wasSubscriber, wasAsked: asked.exists, deliveries: rows.length }
    })
  }

  /** The address of somebody who followed a link, which holds only an id. */
  async function emailOf(work: Transaction, addressId: string): Promise<string | undefined> {
    const { docs } = await work.get(paths.announcements.select())
    const ledgers = docs.map(({ id }) => paths.deliveries(id).doc(addressId))
    const found = await work.getAll(paths.pending.doc(addressId), ...ledgers)
    const emails = found.map((one, i) =>
      i === 0 ? pendingFrom(one.get('data'))?.email : one.get('email'),
    )
    return emails.find((one): one is string => typeof one === 'string')
  }

  const changeFields: FirestoreStandings['changeFields'] = async (addressId, change, happened) => {
    await bind()
    const isTold = happened !== undefined && (await notes.isOn(happened))
    await transaction(async (work) => {
      const [entry, email, note] = await Promise.all([
        work.get(entries.doc(addressId)),
        emailOf(work, addressId),
        isTold ? notes.read(work, [addressId]) : undefined,
      ])
      const known = knownIn(entry)
      const some = email === undefined ? [] : recordsIn(await work.get(records.of(email).limit(2)))
      if (!consentIn(known.extra) && some.length === 0) return
      const last = email === undefined || !note ? undefined : await records.last(email, work)
      const fields = fieldsOf({ times: {}, details: {}, extra: change(known.extra) })
      work.set(entry.ref, fields, { merge: true })
      note?.(addressId, email, inForce(known, last) ? [] : (happened ?? []))
    })
  }

  async function forget(email: string): Promise<Forgotten> {
    await bind()
    await emptyOutbox(email)
    for (;;) {
      await thin(email)
      const forgotten = await erase(email)
      if (!forgotten || forgotten === 'kept') continue
      // Nobody can be brought by them any more.
      await eraseReferralsBy(connection, paths, addressIds.of(email))
      return forgotten
    }
  }

  async function forgetIf(email: string, may: May) {
    await bind()
    for (;;) {
      const forgotten = await erase(email, may)
      if (forgotten === 'kept') return false
      if (forgotten) {
        await eraseReferralsBy(connection, paths, addressIds.of(email))
        return true
      }
      await thin(email)
    }
  }

  return {
    entries,
    bind,
    changeFields,

    async forgottenAmong(work, emails) {
      if (emails.length === 0) return new Set()
      const listed = await work.getAll(...emails.map((email) => entries.doc(addressIds.of(email))))
      const isOn = (_: string, i: number) =>
        inForce(knownIn(listed[i]), undefined)?.standing === 'forgotten'
      const found = await records.signUps(emails.filter(isOn))
      const gone = [...found].filter(([, { first }]) => !first)
      return new Set(gone.map(([email]) => addressIds.of(email)))
    },

    async unsubscribe(addressId) {
      await bind()
      const time = { unsubscribedAt: FieldValue.serverTimestamp() }
      if (!(await notes.isOn(['left']))) {
        await use(() => entries.doc(addressId).set(time, { merge: true }))
        return
      }
      await transaction(async (work) => {
        const [entry, email, note] = await Promise.all([
          work.get(entries.doc(addressId)),
          emailOf(work, addressId),
          notes.read(work, [addressId]),
        ])
        const last = email === undefined ? undefined : await records.last(email, work)
        const common = { isOnList: undefined, confirmedAt: undefined }
        const known = inForce(knownIn(entry), last)?.standing
        // Without an address, a later sign-up may have lifted it: a no twice is better than none.
        const isSure = email !== undefined || (known !== undefined && !isLiftedBySignUp(known))
        const before = isSure ? known : undefined
        // A graver standing stays in force.
        const after = before && before !== 'pending' && before !== 'quarantined' ? before : left
        work.set(entry.ref, time, { merge: true })
        const change = [
          { ...common, standing: before },
          { ...common, standing: after },
        ] as const
        note(addressId, email, notes.between(change))
      })
    },

    stayInterested: (addressId) =>
      changeFields(addressId, (extra) => withStillInterested(extra, new Date())),

    async set(heard) {
      await bind()
      const emails = [...new Set(heard.map(({ email }) => email))].filter(
        (email) => !isProbeAddress(email),
      )
      if (emails.length === 0) return heard.map(() => false)
      const now = new Date()
      const found = await records.signUps(emails)
      const refs = emails.map((email) => entries.doc(addressIds.of(email)))
      const stands = await transaction(async (work) => {
        const listed = await work.getAll(...refs)
        const note = await notes.read(work, emails.map(addressIds.of))
        return new Map(
          emails.map((email, i) => {
            const signUps = found.get(email) ?? {}
            const before = knownIn(listed[i])
            const known = heard
              .filter((one) => one.email === email)
              .reduce(
                (known, { standing, at = now, detail }) =>
                  afterHearing(known, { standing, at, detail: cleanDetail(detail) }, signUps),
                before,
              )
            if (known !== before && refs[i]) work.set(refs[i], fieldsOf(known), { merge: true })
            const [was, is] = [before, known].map((one) => inForce(one, signUps.last)?.standing)
            const common = { isOnList: signUps.first !== undefined, confirmedAt: undefined }
            const change = [
              { ...common, standing: was },
              { ...common, standing: is },
            ] as const
            const types = notes.between(change)
            if (types.length > 0) note(addressIds.of(email), email, types)
            return [email, is]
          }),
        )
      })
      return heard.map(({ email, standing }) => stands.get(email) === standing)
    },

    forget,
    forgetIf,

    async forgetAll(emails) {
      for (const email of emails) await forget(email)
    },

    async of(email) {
      const [entry, last] = await Promise.all([
        use(() => entries.doc(addressIds.of(email)).get()),
        records.last(email),
      ])
      return inForce(knownIn(entry), last)
    },
  }
}

const left = 'unsubscribed' as const

async function bindTo(
  { transaction }: FirestoreConnection,
  place: DocumentReference,
  fingerprint: string,
): Promise<void> {
  const bound = await transaction(async (work) => {
    const kept = await work.get(place)
    if (!kept.exists) work.create(place, { fingerprint })
    return kept.get('fingerprint') ?? fingerprint
  })
  if (bound !== fingerprint)
    throw new StoreUnavailable(
      'LINK_KEY is not the key that unsubscribes were kept with so far: put that one back.',
    )
}
