import { erasedBy, merge } from '../../people/changes.ts'
import { isOnList, nobody, type Person, standingOf, whyNotMailed } from '../../people/person.ts'
import { withoutLetter, withoutOwner } from '../../people/requests.ts'
import { unreadable } from '../../people/stored.ts'
import { type Entry, entryIn, FOUND } from '../arrival.ts'
import type { Merged } from '../backups.ts'
import type { Row } from './arrivals.ts'
import { type CopiedPerson, personRowIn } from './copied-rows.ts'
import { type Counts, keepCounts } from './counters.ts'
import { eraseElsewhere } from './inbox-rows.ts'
import { inRecord } from './own-collection.ts'
import { type Persons, personsIn } from './persons.ts'
import { erase } from './standings.ts'
import { happens } from './taking-in.ts'

/** A copy that comes into a list, attached to it as `copy`. */
export interface Merging {
  readonly persons: Persons
  readonly isBelieved: boolean
  readonly now: Date
  /** What came of it so far. */
  readonly merged: { -readonly [name in keyof Merged]: Merged[name] }
  /** Addresses that are erased since the copy says so. */
  readonly gone: string[]
}

export function mergePeople(merging: Merging): void {
  const changes: Counts = new Map()
  const persons = personsIn(merging.persons, changes)
  for (const found of peopleIn(merging)) {
    const outcome = found ? mergePerson(merging, persons, found) : 'refused'
    if (outcome && !found?.isCounted) merging.merged[outcome] += 1
  }
  keepCounts(merging.persons.sql, changes)
}

/** Everybody in a copy; who left something that waits in it, a second time as the person that it makes. */
function* peopleIn({ persons, isBelieved, now }: Merging): Iterable<FoundPerson | undefined> {
  const { sql, ids } = persons
  const read = (row: Row) => personRowIn(row, ids, isBelieved ? undefined : now)
  for (const row of sql('SELECT id, data FROM copy.persons ORDER BY number').iterate())
    yield read(row)
  const known = sql('SELECT id, data FROM copy.persons WHERE id = ?')
  for (const entry of waitingIn(persons)) {
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

export function* waitingIn({ sql, ids }: Persons): Iterable<Entry | undefined> {
  // What was found in Firestore is found there again.
  const rows = sql(`
    SELECT * FROM copy.documents WHERE waits IS NOT NULL AND waits <> ${FOUND} ORDER BY id`)
  for (const row of rows.iterate()) yield entryIn(row, ids.of)
}

/**
 * @returns whether they are on the list by it; nothing of those whom the copy has not on its list.
 */
function mergePerson(
  { isBelieved, gone }: Merging,
  persons: Persons,
  { addressId, person }: CopiedPerson,
): 'added' | 'known' | 'forgotten' | 'refused' | undefined {
  const before = knownAs(persons, addressId)
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
    erase(persons, erased.email, erased.at)
    gone.push(erased.email)
  }
  // What was asked since stays.
  const options = { email: after.email, isNews: false }
  const changed = persons.change(addressId, (one) => merge(one, after), options)
  if (!changed) return 'refused'
  // By a no that is kept at Google.
  const elsewhere = erasedBy({ before: after, after: changed.after })
  if (elsewhere) eraseElsewhere(persons, elsewhere.email, elsewhere.at)
  if (!isOnList(person)) return undefined
  if (!isOnList(changed.after)) return 'forgotten'
  return isOnList(before) ? 'known' : 'added'
}

/** Somebody as they are known here; of who cannot be read, the address. */
function knownAs(persons: Persons, addressId: string): Person {
  const kept = persons.get(addressId)
  if (!kept) return nobody
  if (kept.person !== unreadable) return kept.person
  const { email } =
    persons
      .sql(`
      SELECT coalesce(iif(json_valid(persons.data), persons.data ->> 'email', NULL),
        ${inRecord('email')}) AS email
      FROM persons LEFT JOIN documents ON documents.id = number WHERE n = ?`)
      .get(kept.n) ?? {}
  return { ...nobody, ...(typeof email === 'string' && { email }) }
}

/** Whom we do not mail is brought back by no yes that anybody may have written. */
const noesOf = ({ noes, forgottenAt }: Person): Person => ({ ...nobody, noes, forgottenAt })
