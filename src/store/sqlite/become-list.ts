import { restored } from '../../people/event-queue.ts'
import { withoutLetter } from '../../people/requests.ts'
import type { Merged } from '../backups.ts'
import { openingIn } from '../opening.ts'
import type { Sql } from './connection.ts'
import { COPIED, countsIn } from './copy.ts'
import { countAgain } from './delivery-rows.ts'
import { DESK_ACCESS } from './desk-access.ts'
import { queuesIn } from './event-rows.ts'
import { noteIn, putNote } from './notes.ts'
import { OPENING } from './opening.ts'
import { inOrder } from './paged-rows.ts'
import type { Persons } from './persons.ts'
import { takeInAllHere } from './taking-in.ts'

/** What the answer of a mail server says of a delivery that was open in a copy. */
export const RESTORED = 'restored from a copy'

/**
 * Makes a copy that only we can have made a list again: nobody is at its desk, nothing runs, and what
 * was open may have left since, so it does not leave by itself.
 */
export function becomeList(persons: Persons, now: Date): Merged {
  const { sql } = persons
  takeInAllHere(persons)
  for (const name of [COPIED, DESK_ACCESS]) putNote(sql, name, undefined)
  sql('DELETE FROM runs').run()
  const queues = queuesIn(sql)
  for (const { id, line } of inOrder((last) => queues.all(last, PAGE)))
    if (line) queues.put(id, restored(line, now.getTime()))
  const asking = sql(`
    SELECT id FROM persons
    WHERE id > ? AND iif(json_valid(data), data ->> 'request', NULL) NOTNULL ORDER BY id LIMIT ${PAGE}`)
  for (const { id } of inOrder((last) => asking.all(last)))
    persons.change(String(id), withoutLetter, { isNews: false })
  // Who had no row yet may have been told since.
  const filling = sql('UPDATE announcements SET eligible = 0 WHERE eligible IS NULL RETURNING id')
  for (const { id } of filling.all()) countAgain(sql, String(id))
  const { subscribers: added, announcements } = countsIn(sql)
  const opening = openingIn(noteIn(sql, OPENING))?.url
  const none = { known: 0, forgotten: 0, refused: 0 }
  return { ...none, added, announcements, stillToTell: closeDeliveries(sql), opening }
}

const PAGE = 1000

function closeDeliveries(sql: Sql): number {
  const close = sql(`
    UPDATE deliveries SET status = 'uncertain', tries = max(1, tries), owner = NULL,
      turn = CAST(unixepoch(changedAt, 'subsec') * 1000 AS INTEGER), answer = ?
    WHERE status IN ('queued', 'sending')`)
  return Number(close.run(RESTORED).changes)
}
