import type { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { nobody } from '../../people/person.ts'
import { ask, withoutLetter } from '../../people/requests.ts'
import { batches } from '../../shared/batches.ts'
import type { Copies, RestoreReading } from '../backups.ts'
import { holdFrom, type ListHold } from '../list-hold.ts'
import { openingIn } from '../opening.ts'
import type { CopiedPerson } from '../restore-target.ts'
import type { Store } from '../store.ts'
import { connectionTo } from './connection.ts'
import { contentOf } from './content.ts'
import {
  announcementIn,
  deliveryIn,
  invitationKeyIn,
  isStillToTell,
  personRowIn,
  recordIn,
  waitingIn,
} from './copied-rows.ts'
import { restoreVisits } from './copied-visits.ts'
import { type Restoring, readCopy } from './copy.ts'
import { HOLD } from './list-hold.ts'
import { noteIn } from './notes.ts'
import { requestRowIn } from './request-rows.ts'

const BATCH = 500

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
  const people = await restorePeople(restoring)
  const requests = await restoreRequests(restoring)
  const visits = await restoreVisits(restoring)
  const ledger = await restoreLedger(restoring)
  const opening = await restoreOpening(restoring)
  const keys = await restoreInvitationKeys(restoring)
  const events = await restoreEvents(restoring)
  const all = [people, requests, visits, ledger, opening, keys, events]
  const refused = all.reduce((sum, one) => sum + one.refused, 0)
  return { ...people, ...ledger, ...opening, refused }
}

/** Restores everybody, in the order in which they came on the list. */
async function restorePeople({ store, addressIds, copy, asOf, isBelieved, seen }: Restoring) {
  const counts = { added: 0, known: 0, forgotten: 0, refused: 0 }
  async function restore(rows: Iterable<Row>, read: (row: Row) => CopiedPerson | undefined) {
    for await (const batch of batches(rows, BATCH)) {
      const people = batch.flatMap((row) => read(row) ?? [])
      counts.refused += batch.length - people.length
      for (const outcome of await store.restore.people(people)) if (outcome) counts[outcome] += 1
      seen(batch.length)
    }
  }
  const persons = copy.prepare('SELECT id, data FROM persons ORDER BY number')
  await restore(persons.iterate(), (row) => {
    const found = personRowIn(row, addressIds, asOf)
    return found && !isBelieved ? { ...found, person: withoutLetter(found.person) } : found
  })
  const waiting = copy.prepare('SELECT data FROM documents WHERE waits')
  await restore(waiting.iterate(), (row) => recordIn(row, addressIds, asOf))
  return counts
}

type Row = Readonly<Record<string, unknown>>

/** Restores what was asked and not taken in: these visitors are asked again. */
async function restoreRequests({ store, addressIds, copy, asOf, isBelieved }: Restoring) {
  let refused = 0
  for (const row of copy.prepare('SELECT * FROM requests').iterate()) {
    const found = requestRowIn(row)
    if (!found || found.at > asOf) {
      refused += 1
      continue
    }
    const { email, at, ...asked } = found
    // Others go first. At its own time, since a person who left since is not asked again.
    if (isBelieved) await store.restore.requests([{ ...found, isCrowd: true }])
    else {
      const person = withoutLetter(ask(nobody, email, asked, at))
      await store.restore.people([{ addressId: addressIds.of(email), person }])
    }
  }
  return { refused }
}

/** Restores the opening, if none was ever set here. */
async function restoreOpening({ store, copy, asOf, isBelieved }: Restoring) {
  if (!isBelieved) return { refused: 0 }
  const found = noteIn(connectionTo(copy).sql, 'opening')
  if (found === undefined || found === null) return { refused: 0 }
  const opening = openingIn(found)
  if (!opening || (opening.openedAt && opening.openedAt > asOf)) return { refused: 1 }
  return { refused: 0, ...((await store.restore.opening(opening)) && { opening }) }
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
  const rows = copy.prepare("SELECT id AS person, data FROM queue WHERE kind = 'events'")
  for await (const batch of batches(rows.iterate(), BATCH)) {
    const waiting = batch.flatMap((row) => waitingIn(row, addressIds, asOf) ?? [])
    refused += batch.length - waiting.length
    await store.events.restore(waiting, new Date())
    seen(batch.length)
  }
  return { refused }
}

/** Restores the announcements that the store lacks. Each appears once all its rows are there. */
async function restoreLedger({ store, copy, asOf, seen }: Restoring) {
  const counts = { announcements: 0, stillToTell: 0, refused: 0 }
  for (const row of copy.prepare('SELECT * FROM announcements').all()) {
    const announcement = announcementIn(row, asOf)
    if (!announcement) counts.refused += 1
    if (!announcement || (await store.ledger.findAnnouncement(announcement.id))) continue
    const rows = copy.prepare(`
      SELECT deliveries.*, persons.id AS addressId FROM deliveries LEFT JOIN persons USING (number)
      WHERE announcement = ?`)
    for await (const batch of batches(rows.iterate(announcement.id), BATCH)) {
      const deliveries = batch.flatMap((row) => {
        const delivery = deliveryIn(row, asOf)
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
  ...['persons', 'visits', 'visitsByName'],
  ...['deliveries', "queue WHERE kind = 'events'"],
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
  return holdFrom(noteIn(connectionTo(copy).sql, HOLD))
}
