import type { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { isNetworkId } from '../../keys/network-id.ts'
import { batches } from '../../shared/batches.ts'
import type { Copies } from '../backups.ts'
import { type Pending, pendingFrom } from '../pending.ts'
import { isLiftedBySignUp } from '../standing.ts'
import type { Store } from '../store.ts'
import { type NameCount, noVisits } from '../visits.ts'
import { contentOf } from './content.ts'
import {
  announcementIn,
  deliveryIn,
  invitationIn,
  knownIn,
  nameCountIn,
  openingIn,
  publicKeyIn,
  sourceRowIn,
  subscriberIn,
  visitIn,
} from './copied-rows.ts'
import { readCopy } from './copy.ts'
import { otherKind } from './visits.ts'

const BATCH = 500
/** Of which Firestore looks up the sign-ups in the same transaction. */
const BATCH_OF_WRITES = 100
const HOURS_AT_ONCE = 24

const copiedNames = `
  SELECT visitsByName.*, coalesce(kind, ${otherKind}) AS kind, name
  FROM visitsByName LEFT JOIN visitNames ON id = nameId`

/** A row for each address that anything is known of. */
const knownRows = `
  SELECT addressId, standing, at, detail, fields FROM standings LEFT JOIN extras USING (addressId)
  UNION ALL
  SELECT addressId, NULL, NULL, NULL, fields FROM extras
  WHERE addressId NOT IN (SELECT addressId FROM standings)`

/** Reads copies that a SQLite store has written. @param store is where they are brought back to. */
export function sqliteCopies(store: Store, addressIds: AddressIds, appId: string): Copies {
  const { fingerprint } = addressIds

  /** Takes over what was known of addresses, but for what a later sign-up has lifted. */
  async function restoreKnown(copy: DatabaseSync) {
    const rows = copy.prepare(knownRows).all()
    const entries = new Map(
      rows.flatMap((row) => knownIn(row) ?? []).map((entry) => [entry.addressId, entry]),
    )
    const refused = rows.length - entries.size
    for await (const { email, subscribedAt } of store.stream({ standing: 'all' })) {
      const entry = entries.get(addressIds.of(email))
      if (!entry?.standing || !isLiftedBySignUp(entry.standing.standing)) continue
      if (subscribedAt > entry.standing.at)
        entries.set(entry.addressId, { ...entry, standing: undefined })
      else if (entry.standing.standing === 'forgotten') {
        await store.restoreKnown([entry])
        // The address may have signed up since `stream` gave it, which lifts the mark.
        const mark = await store.standing(email)
        if (mark?.standing === 'forgotten') await store.forget(email)
      }
    }
    for await (const batch of batches(entries.values(), BATCH)) await store.restoreKnown(batch)
    return { refused }
  }

  /** Takes over who has yet to confirm, and whose letter had yet to leave. */
  async function restorePending(copy: DatabaseSync) {
    let refused = 0
    for await (const batch of batches(copy.prepare('SELECT data FROM pending').iterate(), BATCH)) {
      const pending = batch.flatMap(({ data }) => pendingIn(data) ?? [])
      refused += batch.length - pending.length
      await store.restorePending(pending)
    }
    for (const row of copy
      .prepare('SELECT email, askedAt, shown, suspicion, source, network FROM outbox')
      .iterate()) {
      const request = pendingIn({ ...row, letters: 0 })
      if (!request) refused += 1
      else if (!(await isForgottenSince(request)))
        await store.requestConfirmation(request.email, {
          ...request,
          isCrowd: true,
          network: isNetworkId(row.network) ? row.network : undefined,
        })
    }
    return { refused }
  }

  /** Takes over where subscribers came from. */
  async function restoreSources(copy: DatabaseSync) {
    let refused = 0
    // An empty row says no more than none.
    const rows = copy.prepare(`
      SELECT * FROM sources WHERE coalesce(source, medium, campaign) IS NOT NULL`)
    for await (const batch of batches(rows.iterate(), BATCH)) {
      const sources = batch.flatMap((row) => sourceRowIn(row) ?? [])
      refused += batch.length - sources.length
      await store.restoreSources(sources)
    }
    return { refused }
  }

  /** Takes over how many visits there were. */
  async function restoreVisits(copy: DatabaseSync) {
    const hours = new Map<number, { counts: ReturnType<typeof noVisits>; names: NameCount[] }>()
    const at = (hour: Date) => {
      const known = hours.get(hour.getTime()) ?? { counts: noVisits(), names: [] }
      hours.set(hour.getTime(), known)
      return known
    }
    let refused = 0
    for (const row of copy.prepare('SELECT * FROM visits').iterate()) {
      const visit = visitIn(row)
      if (visit) at(visit.hour).counts[visit.kind] = visit.number
      else refused += 1
    }
    for (const row of copy.prepare(copiedNames).iterate()) {
      const found = nameCountIn(row)
      if (found) at(found.hour).names.push(found.count)
      else refused += 1
    }
    const all = [...hours].map(([hour, found]) => ({ hour: new Date(hour), ...found }))
    for await (const batch of batches(all, HOURS_AT_ONCE)) await store.restoreVisits(batch)
    return { refused }
  }

  /** Takes over whether the page is open, where nobody has said so yet. */
  async function restoreOpening(copy: DatabaseSync) {
    const row = copy.prepare('SELECT * FROM opening WHERE url IS NOT NULL').get()
    const opening = row && openingIn(row)
    const isRestored = opening ? await store.restoreOpening(opening) : false
    return { refused: row && !opening ? 1 : 0, ...(isRestored && { opening }) }
  }

  /** Takes over who was invited, and with which key that is verified where none is known yet. */
  async function restoreInvitations(copy: DatabaseSync) {
    let refused = 0
    const publicKey = publicKeyIn(copy.prepare('SELECT publicKey FROM invitationKey').get())
    if (publicKey !== undefined) await store.restoreInvitations([], publicKey)
    const rows = copy.prepare('SELECT * FROM invitations')
    for await (const batch of batches(rows.iterate(), BATCH_OF_WRITES)) {
      const invitations = batch.flatMap((row) => invitationIn(row, addressIds) ?? [])
      refused += batch.length - invitations.length
      await store.restoreInvitations(invitations)
    }
    return { refused }
  }

  async function isForgottenSince({ email, askedAt }: Pending) {
    const entry = await store.standing(email)
    return entry?.standing === 'forgotten' && entry.at >= askedAt
  }

  async function restoreSubscribers(copy: DatabaseSync) {
    const counts = { added: 0, known: 0, forgotten: 0, refused: 0 }
    const rows = copy.prepare(`
      SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt
      FROM documents ORDER BY id`)
    for await (const batch of batches(rows.iterate(), BATCH)) {
      const subscribers = batch.flatMap((row) => subscriberIn(row) ?? [])
      counts.refused += batch.length - subscribers.length
      for (const outcome of await store.importAll(subscribers)) counts[outcome] += 1
    }
    return counts
  }

  /** Takes over the announcements that the store does not know. Each appears when all its rows are there. */
  async function restoreLedger(copy: DatabaseSync) {
    const counts = { announcements: 0, refused: 0 }
    for (const row of copy.prepare('SELECT * FROM announcements').all()) {
      const announcement = announcementIn(row)
      if (!announcement) counts.refused += 1
      if (!announcement || (await store.findAnnouncement(announcement.id))) continue
      const rows = copy.prepare('SELECT rowid AS id, * FROM deliveries WHERE announcement = ?')
      for await (const batch of batches(rows.iterate(announcement.id), BATCH)) {
        const deliveries = batch.flatMap((row) => deliveryIn(row, addressIds) ?? [])
        counts.refused += batch.length - deliveries.length
        await store.restoreDeliveries(announcement.id, deliveries)
      }
      await store.restoreAnnouncement(announcement)
      counts.announcements += 1
    }
    return counts
  }

  return {
    check: (file) =>
      readCopy(file, appId, fingerprint, ({ db, copy, seal }) => ({
        ...copy,
        ...seal,
        content: contentOf((text) => db.prepare(text)),
      })),

    restore: (file) =>
      readCopy(file, appId, fingerprint, async ({ db }) => {
        const known = await restoreKnown(db)
        const subscribers = await restoreSubscribers(db)
        const pending = await restorePending(db)
        const sources = await restoreSources(db)
        const visits = await restoreVisits(db)
        const ledger = await restoreLedger(db)
        const opening = await restoreOpening(db)
        const invited = await restoreInvitations(db)
        const all = [known, subscribers, pending, sources, visits, ledger, opening, invited]
        const refused = all.reduce((sum, one) => sum + one.refused, 0)
        return {
          ...subscribers,
          ...ledger,
          refused,
          ...(opening.opening && { opening: opening.opening.url }),
        }
      }),
  }
}

/** Somebody who was asked later than now would never be done with. */
function pendingIn(data: unknown): Pending | undefined {
  const pending = pendingFrom(data)
  const last = Math.max(Number(pending?.askedAt), Number(pending?.lastLetterAt ?? 0))
  return last <= Date.now() ? pending : undefined
}
