import { queueIn, restored } from '../../people/event-queue.ts'
import { standingOf } from '../../people/person.ts'
import { isCount } from '../../shared/stored-json.ts'
import { nobodyAtTheDesk } from '../desk-access.ts'
import { holdFrom } from '../list-hold.ts'
import { mergedOpening, openingIn } from '../opening.ts'
import type { Sql } from './connection.ts'
import { DESK_ACCESS } from './desk-access.ts'
import { queuesIn } from './event-rows.ts'
import { HOLD } from './list-hold.ts'
import { type Merging, waitingIn } from './merge-people.ts'
import { noteIn, putNote } from './notes.ts'
import { REACHED } from './notices.ts'
import { OPENING } from './opening.ts'
import { happens } from './taking-in.ts'

type Merge = (merging: Merging) => void

/** The rows of a table that have none here. @param which in SQL; left out, all. */
const rows =
  (table: string, which = 'true'): Merge =>
  ({ persons }) =>
    void persons
      .sql(`INSERT OR IGNORE INTO main.${table} SELECT * FROM copy.${table} WHERE ${which}`)
      .run()

type MergeNote = (ours: unknown, theirs: unknown, merging: Merging) => unknown

/** One of the list's values, by what gives the value of both. */
const note =
  (name: string, both: MergeNote): Merge =>
  (merging) => {
    const { sql } = merging.persons
    const ours = noteIn(sql, name)
    const merged = both(ours, theirNote(sql, name), merging)
    if (merged !== ours) putNote(sql, name, merged)
  }

function theirNote(sql: Sql, name: string): unknown {
  const row = sql('SELECT data FROM copy.notes WHERE name = ?').get(name)
  return row && JSON.parse(String(row.data))
}

/** All that stands beside people and announcements in a copy that is believed, each with its rule. */
export const beside: readonly Merge[] = [
  ...['codeKeys', 'inboxErasures', 'inboxNoes', 'visits', 'visitNames'].map((table) => rows(table)),
  rows('refusals', 'addressId IN (SELECT id FROM main.persons WHERE number IS NOT NULL)'),
  mergeEvents,
  mergeReplies,
  // The milestones that some place was told of there, none is told of here.
  note(REACHED, (ours, theirs) =>
    isCount(theirs) && !(isCount(ours) && ours >= theirs) ? theirs : ours,
  ),
  // Nobody is at the desk after a restore.
  note(DESK_ACCESS, (ours) => ours && nobodyAtTheDesk),
  // The gravest reason stays.
  note(HOLD, (ours, theirs) =>
    theirs === undefined || holdFrom(ours)?.isBelieved === false ? ours : theirs,
  ),
  note(OPENING, (ours, theirs, { merged }) => {
    const opening = mergedOpening(ours, theirs)
    if (opening !== ours) merged.opening = openingIn(opening)?.url
    return opening
  }),
]

/** What other systems had yet to be told of people, under its ids. */
function mergeEvents({ persons, now }: Merging): void {
  const { sql, ids } = persons
  const queues = queuesIn(sql)
  const rows = sql("SELECT id, data FROM copy.queue WHERE kind = 'events'")
  for (const { id, data } of rows.iterate()) {
    const [person, queue] = [String(id), queueIn(data)]
    const { email = '' } = queue ?? {}
    const isGone = standingOf(persons.of(ids.of(email))) === 'forgotten'
    if (queue && !isGone) queues.put(person, restored(queue, now.getTime(), queues.of(person)))
  }
}

/** What was answered to the question, and waits there: one that is known here may be newer. */
function mergeReplies({ persons }: Merging): void {
  for (const entry of waitingIn(persons))
    if (entry?.to === 'replies')
      persons.change(entry.addressId, happens(persons.sql, { ...entry, isLate: true }), {
        isNews: false,
      })
}
