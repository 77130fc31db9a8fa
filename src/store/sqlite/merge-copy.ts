import { pathToFileURL } from 'node:url'
import type { AddressIds } from '../../keys/address-id.ts'
import { erasedBy, merge } from '../../people/changes.ts'
import { queueIn, restored } from '../../people/event-queue.ts'
import { isOnList, nobody, type Person, standingOf, whyNotMailed } from '../../people/person.ts'
import { withoutLetter, withoutOwner } from '../../people/requests.ts'
import { unreadable } from '../../people/stored.ts'
import { isCount, objectIn, storedTime } from '../../shared/stored-json.ts'
import { type Entry, entryIn, FOUND } from '../arrival.ts'
import type { Merged } from '../backups.ts'
import type { DeliveryStatus } from '../delivery-ledger.ts'
import { type DeskAccessState, deskAccessFrom, nobodyAtTheDesk } from '../desk-access.ts'
import { holdFrom } from '../list-hold.ts'
import { mergedOpening, openingIn } from '../opening.ts'
import type { Row } from './arrivals.ts'
import { becomeList } from './become-list.ts'
import { writeBound } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import {
  announcementIn,
  type CopiedDelivery,
  type CopiedPerson,
  copiedDeliveries,
  deliveryIn,
  personRowIn,
} from './copied-rows.ts'
import { COPIED } from './copy.ts'
import { type Counts, keepCounts } from './counters.ts'
import type { SqliteDatabase } from './database.ts'
import { type CountedAs, countAgain, countRow } from './delivery-rows.ts'
import { DESK_ACCESS } from './desk-access.ts'
import { eraseTraces } from './erase-traces.ts'
import { queuesIn } from './event-rows.ts'
import { eraseElsewhere } from './inbox-rows.ts'
import { HOLD } from './list-hold.ts'
import { noteIn, numberIn, putNote } from './notes.ts'
import { REACHED } from './notices.ts'
import { OPENING } from './opening.ts'
import { inRecord } from './own-collection.ts'
import { type Persons, personsIn } from './persons.ts'
import { erase } from './standings.ts'
import { happens, takeInAllHere } from './taking-in.ts'

export function sqliteRestore(database: SqliteDatabase, ids: AddressIds) {
  return {
    /** Makes a list of this file, a copy that only we can have made. */
    becomeList: (now: Date): Promise<Merged> =>
      writeBound(database, ids, (sql) => becomeList(sql, ids, now)),

    /**
     * Puts what a copy knows together with what is known here: told beats untold, a no beats what it was
     * said after. Of one that is not believed come people, what they said no to, and what they were told.
     */
    async restore(file: string, { isBelieved }: { isBelieved: boolean }): Promise<Merged> {
      const from = `${pathToFileURL(file).href}?mode=ro`
      await database.read((sql) => sql('ATTACH ? AS copy').run(from))
      try {
        const { gone, ...merged } = await writeBound(database, ids, (sql) =>
          mergeCopy(sql, ids, isBelieved),
        )
        if (gone.length > 0) await eraseTraces(database, gone)
        return merged
      } finally {
        // After an error, the connection is another one.
        const isThere = "SELECT 1 FROM pragma_database_list WHERE name = 'copy'"
        await database.read((sql) => sql(isThere).get() && sql('DETACH copy').run())
      }
    },
  }
}

interface Merging {
  readonly sql: Sql
  readonly ids: AddressIds
  readonly isBelieved: boolean
  readonly now: Date
  /** Addresses that are erased since the copy says so. */
  readonly gone: string[]
}

function mergeCopy(sql: Sql, ids: AddressIds, isBelieved: boolean) {
  const gone: string[] = []
  const merging: Merging = { sql, ids, isBelieved, now: new Date(), gone }
  // What was left here came before whatever is said now.
  takeInAllHere(sql, ids)
  const people = mergePeople(merging)
  const told = mergeAnnouncements(merging)
  const refused = people.refused + told.refused
  const opening = isBelieved ? mergeRest(merging) : undefined
  return { ...people, ...told, refused, gone, ...(opening !== undefined && { opening }) }
}

function mergePeople(merging: Merging) {
  const counts = { added: 0, known: 0, forgotten: 0, refused: 0 }
  const changes: Counts = new Map()
  const persons = personsIn(merging.sql, merging.ids, changes)
  for (const found of peopleIn(merging)) {
    const outcome = found ? mergePerson(merging, persons, found) : 'refused'
    if (outcome && !found?.isCounted) counts[outcome] += 1
  }
  keepCounts(merging.sql, changes)
  return counts
}

/** Everybody in a copy; who left something that waits in it, a second time as the person that it makes. */
function* peopleIn({ sql, ids, isBelieved, now }: Merging): Iterable<FoundPerson | undefined> {
  const read = (row: Row) => personRowIn(row, ids, isBelieved ? undefined : now)
  for (const row of sql('SELECT id, data FROM copy.persons ORDER BY number').iterate())
    yield read(row)
  const known = sql('SELECT id, data FROM copy.persons WHERE id = ?')
  for (const entry of waitingIn(sql, ids)) {
    if (entry?.to === 'replies') continue
    const row = entry && known.get(entry.addressId)
    const { person = nobody } = (row && read(row)) ?? {}
    if (!entry || (!isBelieved && entry.at > now)) yield undefined
    else
      yield {
        addressId: entry.addressId,
        person: happens(sql, entry)(person),
        isCounted: isOnList(person),
      }
  }
}

interface FoundPerson extends CopiedPerson {
  /** Whether they were found on the copy's list before. */
  readonly isCounted?: boolean
}

function* waitingIn(sql: Sql, ids: AddressIds): Iterable<Entry | undefined> {
  // What was found in Firestore is found there again.
  const rows = sql(`
    SELECT * FROM copy.documents WHERE waits IS NOT NULL AND waits <> ${FOUND} ORDER BY id`)
  for (const row of rows.iterate()) yield entryIn(row, ids.of)
}

/**
 * @returns whether they are on the list by it; nothing of those whom the copy has not on its list.
 */
function mergePerson(
  { sql, ids, isBelieved, gone }: Merging,
  persons: Persons,
  { addressId, person }: CopiedPerson,
): 'added' | 'known' | 'forgotten' | 'refused' | undefined {
  const before = knownAs(sql, persons, addressId)
  // One that was on its way may have left; of all others, the list here knows what left since.
  const mayAsk = isBelieved && !person.request?.tries
  const said = isBelieved || !whyNotMailed(before) ? person : noesOf(person)
  const theirs = withoutOwner(
    mayAsk ? said : withoutLetter(said),
    (id) => standingOf(persons.of(id)) === 'forgotten',
  )
  const after = merge(before, theirs)
  const erased = erasedBy({ before, after })
  if (erased) {
    erase(sql, ids, erased.email, erased.at)
    gone.push(erased.email)
  }
  // What was asked since stays.
  const options = { email: after.email, isNews: false }
  const changed = persons.change(addressId, (one) => merge(one, after), options)
  if (!changed) return 'refused'
  // By a no that is kept at Google.
  const elsewhere = erasedBy({ before: after, after: changed.after })
  if (elsewhere) eraseElsewhere(sql, ids, elsewhere.email, elsewhere.at)
  if (!isOnList(person)) return undefined
  if (!isOnList(changed.after)) return 'forgotten'
  return isOnList(before) ? 'known' : 'added'
}

/** Somebody as they are known here; of who cannot be read, the address. */
function knownAs(sql: Sql, persons: Persons, addressId: string): Person {
  const kept = persons.get(addressId)
  if (!kept) return nobody
  if (kept.person !== unreadable) return kept.person
  const { email } =
    sql(`
      SELECT coalesce(iif(json_valid(persons.data), persons.data ->> 'email', NULL),
        ${inRecord('email')}) AS email
      FROM persons LEFT JOIN documents ON documents.id = number WHERE n = ?`).get(kept.n) ?? {}
  return { ...nobody, ...(typeof email === 'string' && { email }) }
}

/** Whom we do not mail is brought back by no yes that anybody may have written. */
const noesOf = ({ noes, forgottenAt }: Person): Person => ({ ...nobody, noes, forgottenAt })

function mergeAnnouncements(merging: Merging) {
  const { sql, ids, now } = merging
  const found = { announcements: 0, stillToTell: 0, refused: 0 }
  const persons = personsIn(sql, ids)
  for (const row of sql('SELECT id, subject, digest, begunAt FROM copy.announcements').all()) {
    const announcement = announcementIn(row, now)
    if (!announcement) {
      found.refused += 1
      continue
    }
    const { id, subject, digest, begunAt } = announcement
    const isNew =
      sql(`
        INSERT OR IGNORE INTO announcements (id, subject, digest, begunAt, upTo, eligible)
        VALUES (?, ?, ?, ?, 0, 0)`).run(id, subject, digest, begunAt.toISOString()).changes > 0
    if (isNew) found.announcements += 1
    const counts: Counts = new Map()
    for (const row of sql(copiedDeliveries).iterate(id)) {
      const delivery = deliveryIn(row, now)
      if (!delivery) found.refused += 1
      else if (mergeDelivery(sql, persons, id, delivery, { counts, isNew }) && delivery.isOpen)
        found.stillToTell += 1
    }
    keepCounts(sql, counts)
    if (isNew || counts.size > 0) countAgain(sql, id)
  }
  return found
}

/** The number here of a row of the copy that leads to nobody: another for each, and the same each time. */
const nobodys = (number: number): number => (number < 0 ? 2 * number : -2 * number - 1)

/**
 * Of somebody who is not on the list here it is kept that there was one; in an announcement that is known
 * here, that is known too. @returns whether anything has changed.
 */
function mergeDelivery(
  sql: Sql,
  persons: Persons,
  id: string,
  theirs: CopiedDelivery,
  { counts, isNew }: { readonly counts: Counts; readonly isNew: boolean },
): boolean {
  const { addressId, tries, changedAt } = theirs
  const number = addressId === undefined ? undefined : persons.get(addressId)?.number
  const isGone = number === undefined
  if (isGone && !isNew) return false
  const status = isGone ? 'forgotten' : theirs.status
  const standing = status === 'suppressed' ? (theirs.standing ?? 'unsubscribed') : null
  const key = [id, number ?? nobodys(theirs.number)] as const
  const ours = sql(`
    SELECT status, tries, standing FROM deliveries WHERE announcement = ? AND number = ?`).get(
    ...key,
  ) as CountedAs | undefined
  if (ours && told(status) <= told(ours.status)) return false
  sql(`
    REPLACE INTO deliveries
      (announcement, number, status, tries, turn, changedAt, answer, standing, language)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    ...[...key, status, tries, changedAt.getTime(), changedAt.toISOString()],
    ...[isGone ? null : (theirs.answer ?? null), standing],
    isGone ? null : (theirs.language ?? null),
  )
  countRow(counts, id, ours, { status, tries, standing })
  return true
}

/** Told beats what may have been told, and that beats untold. */
const told = (status: DeliveryStatus): number =>
  status === 'sent' ? 2 : status === 'uncertain' || status === 'sending' ? 1 : 0

/** @returns where the page leads, if that came from the copy. */
function mergeRest(merging: Merging): string | undefined {
  const { sql, ids } = merging
  // Visits of hours and days that have none here.
  for (const table of ['invitationKeys', 'inboxErasures', 'inboxNoes', 'visits', 'visitNames'])
    sql(`INSERT OR IGNORE INTO main.${table} SELECT * FROM copy.${table}`).run()
  sql(`
    INSERT OR IGNORE INTO main.refusals SELECT * FROM copy.refusals
    WHERE addressId IN (SELECT id FROM main.persons WHERE number IS NOT NULL)`).run()
  mergeNotices(sql)
  mergeEvents(merging)
  endDesk(sql)
  const persons = personsIn(sql, ids)
  for (const entry of waitingIn(sql, ids))
    if (entry?.to === 'replies')
      persons.change(entry.addressId, happens(sql, { ...entry, isLate: true }), { isNews: false })
  const [hold, held] = [theirNote(sql, HOLD), noteIn(sql, HOLD)].map(holdFrom)
  if (hold && held?.isBelieved !== false) putNote(sql, HOLD, hold)
  const here = noteIn(sql, OPENING)
  const opening = mergedOpening(here, theirNote(sql, OPENING))
  if (opening === here) return undefined
  putNote(sql, OPENING, opening)
  return openingIn(opening)?.url
}

function theirNote(sql: Sql, name: string): unknown {
  const row = sql('SELECT data FROM copy.notes WHERE name = ?').get(name)
  return row && JSON.parse(String(row.data))
}

/** The milestones that some place was told of there, none is told of here. */
function mergeNotices(sql: Sql): void {
  const theirs = theirNote(sql, REACHED)
  if (isCount(theirs) && theirs > numberIn(sql, REACHED)) putNote(sql, REACHED, theirs)
}

/** What other systems had yet to be told of people, under its ids. */
function mergeEvents({ sql, ids, now }: Merging): void {
  const [persons, queues] = [personsIn(sql, ids), queuesIn(sql)]
  const rows = sql("SELECT id, data FROM copy.queue WHERE kind = 'events'")
  for (const { id, data } of rows.iterate()) {
    const [person, queue] = [String(id), queueIn(data)]
    const { email = '' } = queue ?? {}
    const isGone = standingOf(persons.of(ids.of(email))) === 'forgotten'
    if (queue && !isGone) queues.put(person, restored(queue, now.getTime(), queues.of(person)))
  }
}

/** Ends all sessions here, and the passkeys that had ended where the copy was made. */
function endDesk(sql: Sql): void {
  if (noteIn(sql, DESK_ACCESS) === undefined) return
  const [ours, theirs] = [noteIn(sql, DESK_ACCESS), theirNote(sql, DESK_ACCESS)].map(deskAccessFrom)
  const madeAt = Number(storedTime(objectIn(theirNote(sql, COPIED))?.at))
  const isLeft = ({ id, addedAt }: DeskAccessState['passkeys'][number]) =>
    !(addedAt <= madeAt) || theirs?.passkeys.some((one) => one.id === id) === true
  const passkeys = ours?.passkeys.filter(isLeft)
  putNote(sql, DESK_ACCESS, { ...nobodyAtTheDesk, passkeys })
}
