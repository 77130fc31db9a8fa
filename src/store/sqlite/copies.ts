import type { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { isNetworkId } from '../../keys/network-id.ts'
import { batches } from '../../shared/batches.ts'
import type { Copies, RestoreReading } from '../backups.ts'
import { holdFrom, type ListHold } from '../list-hold.ts'
import type { Pending } from '../pending.ts'
import { isLiftedBySignUp } from '../standing.ts'
import type { Store } from '../store.ts'
import { contentOf } from './content.ts'
import {
  announcementIn,
  deliveryIn,
  invitationKeyIn,
  isStillToTell,
  knownIn,
  openingIn,
  pendingIn,
  sourceRowIn,
  subscriberIn,
  waitingIn,
} from './copied-rows.ts'
import { restoreVisits } from './copied-visits.ts'
import { type Restoring, readCopy } from './copy.ts'
import { HOLD } from './list-hold.ts'

const BATCH = 500

/** A row for each address with a standing or other data. */
const knownRows = `
  SELECT addressId, standing, at, detail, isImported, fields FROM standings LEFT JOIN extras USING (addressId)
  UNION ALL
  SELECT addressId, NULL, NULL, NULL, 0, fields FROM extras
  WHERE addressId NOT IN (SELECT addressId FROM standings)`

/** Reads copies that a SQLite store has written. @param store the target of a restore. */
export function sqliteCopies(store: Store, addressIds: AddressIds, appId: string): Copies {
  const { fingerprint } = addressIds

  return {
    check: (file, reading) =>
      readCopy(
        file,
        appId,
        fingerprint,
        ({ db, copy, note: { made, keys }, seal }) => ({
          ...copy,
          made,
          keys,
          seal,
          content: contentOf((text) => db.prepare(text)),
        }),
        reading,
      ),

    restore: (file, reading: RestoreReading = {}) =>
      readCopy(
        file,
        appId,
        fingerprint,
        async ({ db: copy, asOf, seal, madeAt }) => {
          const isBelieved = seal === 'whole' || reading.isBelieved === true
          const hold = isBelieved ? holdIn(copy) : { why: seal, since: new Date() }
          // Before the first row, since the restore may be killed.
          if (hold) await store.hold.begin(hold)
          const restoring = {
            store,
            addressIds,
            copy,
            asOf,
            isBelieved,
            seen: progressOf(copy, reading),
          }
          const { opening, ...counts } = await restoreAll(restoring)
          return {
            ...counts,
            seal,
            ...(madeAt && { madeAt }),
            ...(hold && { held: hold.why }),
            ...(opening && { opening: opening.url }),
          }
        },
        reading,
      ),
  }
}

async function restoreAll(restoring: Restoring) {
  const known = await restoreKnown(restoring)
  const subscribers = await restoreSubscribers(restoring)
  const pending = await restorePending(restoring)
  const sources = await restoreSources(restoring)
  const visits = await restoreVisits(restoring)
  const ledger = await restoreLedger(restoring)
  const opening = await restoreOpening(restoring)
  const keys = await restoreInvitationKeys(restoring)
  const events = await restoreEvents(restoring)
  const all = [known, subscribers, pending, sources, visits, ledger, opening, keys, events]
  const refused = all.reduce((sum, one) => sum + one.refused, 0)
  return { ...subscribers, ...ledger, ...opening, refused }
}

/** Restores the data of addresses, except standings that a later sign-up has lifted. */
async function restoreKnown({ store, addressIds, copy, asOf, seen }: Restoring) {
  const rows = copy.prepare(knownRows).all()
  const entries = new Map(
    rows.flatMap((row) => knownIn(row, asOf) ?? []).map((entry) => [entry.addressId, entry]),
  )
  const refused = rows.length - entries.size
  for await (const { email, subscribedAt } of store.list.stream({ standing: 'all' })) {
    const entry = entries.get(addressIds.of(email))
    if (!entry?.standing || !isLiftedBySignUp(entry.standing.standing)) continue
    if (subscribedAt > entry.standing.at)
      entries.set(entry.addressId, { ...entry, standing: undefined })
    else if (entry.standing.standing === 'forgotten') {
      await store.restore.known([entry])
      // If the address has signed up since `stream` gave it, the mark is lifted.
      const mark = await store.standings.of(email)
      if (mark?.standing === 'forgotten') await store.standings.forget(email)
    }
  }
  for await (const batch of batches(entries.values(), BATCH)) {
    await store.restore.known(batch)
    seen(batch.length)
  }
  return { refused }
}

/** Restores those who have yet to confirm, and those whose letter had yet to leave. */
async function restorePending({ store, copy, asOf, isBelieved, seen }: Restoring) {
  let refused = 0
  for await (const batch of batches(copy.prepare('SELECT data FROM pending').iterate(), BATCH)) {
    const pending = batch.flatMap(({ data }) => pendingIn(data, asOf) ?? [])
    refused += batch.length - pending.length
    await store.restore.pending(pending)
    seen(batch.length)
  }
  for (const row of copy
    .prepare('SELECT email, askedAt, shown, suspicion, source, network, broughtBy FROM outbox')
    .iterate()) {
    const request = pendingIn({ ...row, letters: 0 }, asOf)
    if (!request) refused += 1
    // An untrusted copy sends no letter, since anybody may have written it.
    else if (!isBelieved) await store.restore.pending([request])
    else if (!(await isForgottenSince(store, request)))
      await store.outbox.requestConfirmation(request.email, {
        ...request,
        isCrowd: true,
        network: isNetworkId(row.network) ? row.network : undefined,
      })
  }
  return { refused }
}

/** Restores the sources of subscribers. */
async function restoreSources({ store, copy, asOf, seen }: Restoring) {
  let refused = 0
  // An empty row equals no row.
  const rows = copy.prepare(`
    SELECT * FROM sources WHERE coalesce(source, medium, campaign) IS NOT NULL`)
  for await (const batch of batches(rows.iterate(), BATCH)) {
    const sources = batch.flatMap((row) => sourceRowIn(row, asOf) ?? [])
    refused += batch.length - sources.length
    await store.restore.sources(sources)
    seen(batch.length)
  }
  return { refused }
}

/** Restores the opening, if none was ever set here. */
async function restoreOpening({ store, copy, asOf, isBelieved }: Restoring) {
  if (!isBelieved) return { refused: 0 }
  const row = copy.prepare('SELECT * FROM opening WHERE url IS NOT NULL').get()
  const opening = row && openingIn(row, asOf)
  const isRestored = opening ? await store.restore.opening(opening) : false
  return { refused: row && !opening ? 1 : 0, ...(isRestored && { opening }) }
}

/** Restores the keys that verify invitations, which an untrusted copy could have from anybody. */
async function restoreInvitationKeys({ store, copy, isBelieved }: Restoring) {
  const rows = isBelieved ? copy.prepare('SELECT * FROM invitationKeys ORDER BY rowid').all() : []
  const keys = rows.flatMap((row) => invitationKeyIn(row) ?? [])
  for (const { publicKey, until } of keys) await store.invitations.keep(publicKey, until)
  return { refused: rows.length - keys.length }
}

/**
 * Restores what other systems had yet to be told, under its ids. An untrusted copy tells nobody
 * anything: it could have everybody erased there.
 */
async function restoreEvents({ store, addressIds, copy, asOf, isBelieved, seen }: Restoring) {
  let refused = 0
  if (!isBelieved) return { refused }
  const rows = copy.prepare('SELECT person, data FROM eventQueues')
  for await (const batch of batches(rows.iterate(), BATCH)) {
    const waiting = batch.flatMap((row) => waitingIn(row, addressIds, asOf) ?? [])
    refused += batch.length - waiting.length
    await store.events.restore(waiting, new Date())
    seen(batch.length)
  }
  return { refused }
}

async function isForgottenSince(store: Store, { email, askedAt }: Pending) {
  const entry = await store.standings.of(email)
  return entry?.standing === 'forgotten' && entry.at >= askedAt
}

async function restoreSubscribers({ store, copy, asOf, seen }: Restoring) {
  const counts = { added: 0, known: 0, forgotten: 0, refused: 0 }
  const rows = copy.prepare(`
    SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt, signedUpAt
    FROM documents ORDER BY id`)
  for await (const batch of batches(rows.iterate(), BATCH)) {
    const subscribers = batch.flatMap((row) => subscriberIn(row, asOf) ?? [])
    counts.refused += batch.length - subscribers.length
    for (const outcome of await store.list.importAll(subscribers, { isNews: false }))
      counts[outcome] += 1
    seen(batch.length)
  }
  return counts
}

/** Restores the announcements that the store lacks. Each appears once all its rows are there. */
async function restoreLedger({ store, addressIds, copy, asOf, seen }: Restoring) {
  const counts = { announcements: 0, stillToTell: 0, refused: 0 }
  for (const row of copy.prepare('SELECT * FROM announcements').all()) {
    const announcement = announcementIn(row, asOf)
    if (!announcement) counts.refused += 1
    if (!announcement || (await store.ledger.findAnnouncement(announcement.id))) continue
    const rows = copy.prepare('SELECT rowid AS id, * FROM deliveries WHERE announcement = ?')
    for await (const batch of batches(rows.iterate(announcement.id), BATCH)) {
      const deliveries = batch.flatMap((row) => {
        const delivery = deliveryIn(row, addressIds, asOf)
        if (delivery && isStillToTell(row)) counts.stillToTell += 1
        return delivery ?? []
      })
      counts.refused += batch.length - deliveries.length
      await store.restore.deliveries(announcement.id, deliveries)
      seen(batch.length)
    }
    await store.restore.announcement(announcement)
    counts.announcements += 1
  }
  return counts
}

const looked = [
  ...['documents', 'standings', 'pending', 'sources', 'visits', 'visitsByName'],
  ...['deliveries', 'eventQueues'],
]

/** Counts the rows that were read. */
function progressOf(copy: DatabaseSync, { onProgress }: RestoreReading): (rows: number) => void {
  if (!onProgress) return () => {}
  const count = (table: string) =>
    Number(copy.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
  const all = looked.reduce((sum, table) => sum + count(table), 0)
  let done = 0
  return (rows) => {
    done = Math.min(all, done + rows)
    onProgress(done, all)
  }
}

/** The hold of the list when the copy was made. */
function holdIn(copy: DatabaseSync): ListHold | undefined {
  return holdFrom(copy.prepare('SELECT data FROM alarms WHERE kind = ?').get(HOLD)?.data)
}
