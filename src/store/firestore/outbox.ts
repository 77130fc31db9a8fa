import {
  type DocumentReference,
  FieldValue,
  type QueryDocumentSnapshot,
  Timestamp,
  type Transaction,
} from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { mailboxOf } from '../../shared/address-folding.ts'
import type { Brake } from '../../shared/held-letters.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { sourceFrom } from '../../shared/source.ts'
import type { Extra } from '../extra.ts'
import { knownFields } from '../known-fields.ts'
import type {
  ClaimedLetter,
  ConfirmationRequest,
  Found,
  LetterDecision,
  Outbox,
  PendingChange,
} from '../outbox.ts'
import {
  type Consent,
  consentIn,
  nothingShown,
  type Pending,
  pendingFrom,
  shownFrom,
} from '../pending.ts'
import { isHeldByLetter } from '../quarantine.ts'
import { referralOf } from '../referral.ts'
import type { Restorable } from '../restore-target.ts'
import { isLiftedByAnswer } from '../standing.ts'
import { dropBrowserRequests, waitingRequests } from './browser-requests.ts'
import type { FirestoreConnection } from './connection.ts'
import type { Change, FirestoreEventNotes } from './event-notes.ts'
import { firestoreHeldLetters } from './held-letters.ts'
import type { InTurn } from './in-turn.ts'
import { extraFields, inForce, knownIn } from './known.ts'
import { letterCounts } from './letter-counts.ts'
import { dueFieldOf, dueFields, outboxRow } from './outbox-row.ts'
import { eraseAll, rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import { type FirestoreRecords, isSubscribers, recordsIn } from './records.ts'
import { fieldsOfSource } from './sources.ts'
import type { FirestoreStandings } from './standings.ts'
import { countIn, timeIn } from './stored-time.ts'
import { pagesAmong } from './summary-pages.ts'
import { unlessKept } from './unless-kept.ts'

const MOST_LOOKED_AT = 50

export function firestoreOutbox(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  standings: FirestoreStandings,
  addressIds: AddressIds,
  inTurn: InTurn,
  notes: FirestoreEventNotes,
): Outbox & Restorable<'pending'> {
  const { use, transaction } = connection
  const { outbox, pending: pendings, expired } = paths
  const counts = letterCounts(connection, paths, addressIds)
  const { entries } = standings
  const mailboxId = (email: string) => addressIds.of(mailboxOf(email))

  async function look(work: Transaction, addressId: string, email: string | undefined) {
    const pending = pendingIn(await work.get(pendings.doc(addressId)))
    const address = email ?? pending?.email
    const [entry, theirs, last, mailbox] = await Promise.all([
      work.get(entries.doc(addressId)),
      // One more than an import makes.
      address === undefined ? undefined : work.get(records.of(address).limit(2)),
      address === undefined ? undefined : records.last(address, work),
      address === undefined
        ? undefined
        : work.get(pendings.where('mailbox', '==', mailboxId(address))),
    ])
    const known = knownIn(entry)
    const found: Found = {
      pending,
      mailbox: (mailbox?.docs ?? []).flatMap((document) => pendingIn(document) ?? []),
      isOnList: theirs !== undefined && recordsIn(theirs).length > 0,
      standing: inForce(known, last),
      ...knownFields(known.extra),
    }
    const isOfPage = theirs !== undefined && recordsIn(theirs).some(({ page }) => page)
    const hasSource =
      found.isOnList && !isOfPage && (await work.get(paths.sources.doc(addressId))).exists
    return { found, known, last, entry: entry.ref, isOfPage, hasSource }
  }

  type Looked = Awaited<ReturnType<typeof look>>

  function keep(work: Transaction, addressId: string, pending: Pending) {
    const mailbox = pending.lastLetterAt ? { mailbox: mailboxId(pending.email) } : {}
    work.set(pendings.doc(addressId), {
      data: JSON.stringify(pending),
      ...mailbox,
      ...(pending.broughtBy && { broughtBy: pending.broughtBy }),
      ...counts.fields(pending),
    })
  }

  /**
   * Puts a confirmed address on the list, with the time of the request, and lifts its owner's no.
   */
  function confirm(
    work: Transaction,
    looked: Looked,
    pending: Pending,
    consent: Consent,
    referral: Extra,
  ) {
    const { found, known, entry, isOfPage, hasSource } = looked
    const { email, askedAt, source } = pending
    const subscribedAt = Timestamp.fromDate(askedAt)
    if (!isOfPage) work.create(records.collection.doc(), { email, subscribedAt })
    if (!isOfPage && !hasSource && source)
      work.set(paths.sources.doc(addressIds.of(email)), fieldsOfSource(source, subscribedAt))
    const isLifted = found.standing && isLiftedByAnswer(found.standing.standing)
    const { consent: _, ...others } = known.extra ?? {}
    const extra = { ...others, consent, ...referral }
    work.set(
      entry,
      {
        ...extraFields(extra),
        ...(isLifted && {
          subscribedAt: FieldValue.serverTimestamp(),
          bouncedAt: FieldValue.delete(),
        }),
      },
      { merge: true },
    )
  }

  /** Who brought them, unless that is nobody who confirmed, or somebody who is erased by now. */
  async function referral(work: Transaction, { found }: Looked, pending: Pending): Promise<Extra> {
    const { broughtBy } = pending
    if (found.isOnList || broughtBy === undefined) return {}
    const { extra } = knownIn(await work.get(entries.doc(broughtBy)))
    return consentIn(extra) ? referralOf(pending, new Date()) : {}
  }

  /** Takes a confirmation back, and holds the address or ends its hold. */
  function takeBack(
    work: Transaction,
    { known, entry }: Looked,
    { consent, isHeld = consent === null }: PendingChange<unknown>,
  ) {
    const { consent: _, ...others } = known.extra ?? {}
    const isChanged = consent === null && known.extra !== undefined
    work.set(
      entry,
      {
        // An earlier standing is in force again where the hold ends.
        pendingAt: isHeld ? FieldValue.serverTimestamp() : FieldValue.delete(),
        ...(isChanged && { extra: JSON.stringify(others) }),
      },
      { merge: true },
    )
  }

  /** How somebody stands before and after. */
  function changeBy(
    { found, known, last }: Looked,
    { consent, isHeld = consent === null ? true : undefined }: PendingChange<unknown>,
  ): Change {
    const standing = found.standing?.standing
    const confirmedAt = found.consent?.confirmedAt
    const before = { isOnList: found.isOnList, standing, confirmedAt }
    if (consent) {
      const after = standing && isLiftedByAnswer(standing) ? undefined : standing
      return [before, { isOnList: true, standing: after, confirmedAt: consent.confirmedAt }]
    }
    if (isHeld === undefined) return [before, before]
    const { pending: _, ...times } = known.times
    const held = isHeld ? { ...times, pending: Date.now() * 1000 } : times
    const after = inForce({ ...known, times: held }, last)?.standing
    return [before, { ...before, standing: after, confirmedAt: undefined }]
  }

  /** Defers a row; a held one goes behind all others. */
  function wait(
    work: Transaction,
    ref: DocumentReference,
    field: (typeof dueFields)[number],
    dueAt: Date,
    waitsFor: Brake | undefined,
  ) {
    const next = waitsFor && field === 'dueAt' ? 'crowdDueAt' : field
    work.update(ref, {
      ...(next !== field && { [field]: FieldValue.delete() }),
      [next]: Timestamp.fromDate(dueAt),
      waitsFor: waitsFor ?? FieldValue.delete(),
    })
  }

  /** Does with one row what was decided. @returns `undefined` where another server was faster. */
  function take(
    row: QueryDocumentSnapshot,
    field: (typeof dueFields)[number],
    leaseMs: number,
    decide: (request: ConfirmationRequest, found: Found, now: Date) => LetterDecision,
  ): Promise<{ letter?: ClaimedLetter } | undefined> {
    // Outside the transaction: letters that others send meanwhile count for the next.
    const counting = counts.of(requestIn(row, addressIds), new Date())
    counting.catch(() => {})
    return transaction(async (work) => {
      const document = await work.get(row.ref)
      const now = document.readTime.toDate()
      const due: unknown = document.get(field)
      if (!(due instanceof Timestamp) || due.toDate() > now) return undefined
      const request = requestIn(document as QueryDocumentSnapshot, addressIds)
      // No letter can be sent to it, and it would be met first each time.
      if (!isSubscribers(request.email)) {
        work.update(row.ref, { [field]: FieldValue.delete() })
        return undefined
      }
      const { found } = await look(work, request.addressId, request.email)
      const counted = { ...found, counts: await counting }
      const { pending, isSent, dueAt, waitsFor } = decide(request, counted, now)
      if (pending) keep(work, request.addressId, pending)
      if (isSent && pending) {
        const until = Timestamp.fromMillis(now.getTime() + leaseMs)
        const tries = request.tries + 1
        work.update(row.ref, { [field]: until, tries, waitsFor: FieldValue.delete() })
        return { letter: { request, pending, before: found.pending } }
      }
      if (dueAt) wait(work, row.ref, field, dueAt, waitsFor)
      else work.delete(row.ref)
      return {}
    })
  }

  async function* allPending(): AsyncIterable<{ ref: DocumentReference; pending: Pending }> {
    for await (const document of rowsIn(connection, pendings)) {
      const pending = pendingIn(document)
      if (pending) yield { ref: document.ref, pending }
    }
  }

  return {
    async requestConfirmation(email, asked) {
      if (isProbeAddress(email)) {
        await use(() => outbox.doc().delete())
        return
      }
      const place = outbox.doc()
      const row = outboxRow(email, asked, FieldValue.serverTimestamp())
      await use(() => place.create(row).catch(unlessKept))
    },

    async claimLetters(limit, leaseMs, decide) {
      await standings.bind()
      const letters: ClaimedLetter[] = []
      for (const field of dueFields) {
        const due = outbox.where(field, '<=', Timestamp.now()).orderBy(field).limit(MOST_LOOKED_AT)
        const { docs } = await use(() => due.get())
        let isAnyDone = false
        for (const row of docs) {
          if (letters.length >= limit) return { letters, isMore: true }
          const taken = await take(row, field, leaseMs, decide)
          if (taken) isAnyDone = true
          if (taken?.letter) letters.push(taken.letter)
        }
        // Rows of no crowd always go first. If our clock is ahead, rows look due that are not.
        if (docs.length === MOST_LOOKED_AT && isAnyDone) return { letters, isMore: true }
      }
      return { letters, isMore: false }
    },

    async settleLetters(letters) {
      for (const { request, change, dueAt } of letters)
        await transaction(async (work) => {
          const place = pendings.doc(request.addressId)
          const [row, kept] = await Promise.all([work.get(outbox.doc(request.id)), work.get(place)])
          const pending = pendingIn(kept)
          if (pending && change) keep(work, request.addressId, change(pending))
          if (!row.exists) return
          if (dueAt) work.update(row.ref, { [dueFieldOf(row)]: Timestamp.fromDate(dueAt) })
          else work.delete(row.ref)
        })
    },

    changePending: (addressId, decide, email) =>
      inTurn(addressId, async () => {
        await standings.bind()
        return transaction(async (work) => {
          const looked = await look(work, addressId, email)
          const change = decide(looked.found, new Date())
          const { result, pending, consent, isHeld } = change
          if (!pending) return result
          // The stored pages would lack this record, whose time is that of the request.
          const pages = consent ? await pagesAmong(work, paths.summary, [pending.email]) : []
          const brought = consent ? await referral(work, looked, pending) : {}
          const note = await notes.read(work, [addressId])
          for (const page of pages) work.delete(page)
          keep(work, addressId, pending)
          if (consent) confirm(work, looked, pending, consent, brought)
          else if (consent === null || isHeld !== undefined) takeBack(work, looked, change)
          note(addressId, pending.email, notes.between(changeBy(looked, change)))
          return result
        })
      }),

    async *pending() {
      for await (const { pending } of allPending()) yield pending
    },

    ...firestoreHeldLetters(connection, paths),

    async counts() {
      const [rows, written, ended] = await Promise.all([
        use(() => outbox.count().get()),
        use(() => waitingRequests(paths).count().get()),
        use(() => expired.get()),
      ])
      const waiting = rows.data().count + written.data().count
      return { waiting, expired: Number(ended.get('number') ?? 0) }
    },

    async sweepPending(endOf) {
      const held: string[] = []
      for await (const { ref, pending } of allPending()) {
        if (!endOf(pending)) continue
        await standings.bind()
        const isHeld = await transaction(async (work) => {
          const { found } = await look(work, ref.id, undefined)
          // The address may have been left again since.
          const end = found.pending && endOf(found.pending)
          if (!end) return false
          if (found.pending && isHeldByLetter(found.standing?.standing, found.pending)) return true
          work.delete(ref)
          if (end === 'expired')
            work.set(expired, { number: FieldValue.increment(1) }, { merge: true })
          return false
        })
        if (isHeld) held.push(pending.email)
      }
      return held
    },

    async dropRequests(before) {
      await eraseAll(connection, outbox.where('askedAt', '<', Timestamp.fromDate(before)))
      await dropBrowserRequests(connection, paths, before)
    },

    async restore(restored) {
      await standings.bind()
      for (const pending of restored) {
        const addressId = addressIds.of(pending.email)
        await transaction(async (work) => {
          const { found } = await look(work, addressId, pending.email)
          const { standing } = found
          // Forgotten since: that is newer than the copy.
          if (standing?.standing === 'forgotten' && standing.at >= pending.askedAt) return
          if (!found.pending) keep(work, addressId, pending)
        })
      }
    },
  }
}

export function pendingIn(document: { get(field: string): unknown }): Pending | undefined {
  return pendingFrom(document.get('data'))
}

function requestIn(document: QueryDocumentSnapshot, addressIds: AddressIds): ConfirmationRequest {
  const email = String(document.get('email'))
  const suspicion: unknown = document.get('suspicion')
  const network: unknown = document.get('network')
  const broughtBy: unknown = document.get('broughtBy')
  return {
    id: document.id,
    email,
    addressId: addressIds.of(email),
    at: timeIn(document.get('askedAt')),
    shown: shownFrom(document.get('shown')) ?? nothingShown,
    ...(typeof suspicion === 'string' && { suspicion }),
    source: sourceFrom(document.get('source')),
    ...(typeof network === 'string' && { network }),
    ...(typeof broughtBy === 'string' && { broughtBy }),
    tries: countIn(document.get('tries')),
  }
}
