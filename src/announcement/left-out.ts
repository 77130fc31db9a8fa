import { setImmediate as turn } from 'node:timers/promises'
import { batches } from '../shared/batches.ts'
import { isMailable } from '../shared/mailable.ts'
import { mailboxOf } from '../shared/mailbox.ts'
import {
  ASK,
  type Delivery,
  type Enlisted,
  type LeftOut,
  leftOutReasons,
} from '../store/delivery-ledger.ts'
import { mayBeWrittenTo } from '../store/standing.ts'
import type { Store } from '../store/store.ts'
import type { ListedSubscriber } from '../store/subscriber-list.ts'
import { temporaryDatabase } from '../store/temporary-database.ts'
import type { LeavingOut } from './recipient-selection.ts'

/**
 * The most letters of one announcement that go to one mailbox, whatever the number of its
 * addresses.
 */
export const MOST_TO_A_MAILBOX = 3
const BATCH = 400
const TURN = 1000

/** The earlier announcements whose recipients get this one too. */
export type AlsoWhoGot = readonly string[] | 'all'

/** The announcements whose recipients are left out of this one. @throws StoreUnavailable */
export async function leavingOut(store: Store, id: string, also: AlsoWhoGot): Promise<string[]> {
  if (also === 'all' || id === ASK) return []
  const names = (await store.announcements()).map((announcement) => announcement.id)
  return names.filter((name) => name !== id && name !== ASK && !also.includes(name))
}

/** How many are left out, whatever the reason. */
export function leftOutOf(counts: Readonly<Record<LeftOut | 'quarantined', number>>): number {
  return leftOutReasons.reduce((sum, reason) => sum + counts[reason], counts.quarantined)
}

export interface Candidate extends ListedSubscriber, Enlisted {
  /** Their place in the announcement, where they have one under this address. */
  readonly row?: Pick<Delivery, 'status' | 'tries' | 'standing'> | undefined
  /** Was left out as quarantined, and is not any more. */
  readonly isReleased?: boolean
}

/**
 * Decides for each subscriber whether an announcement leaves them out, in order of sign-up. A row
 * that exists is kept; its `told` is kept too while it still applies. Whoever was released from a
 * quarantine is looked at as if there were no row. Memory is bounded, and between batches others on
 * the event loop have their turn.
 *
 * @throws StoreUnavailable
 */
export async function* candidates(
  store: Store,
  id: string,
  { alsoWhoGot = [], leavesOut }: LeavingOut,
  subscribers: AsyncIterable<ListedSubscriber>,
  batchSize: number,
): AsyncIterable<Candidate[]> {
  const earlier = await leavingOut(store, id, alsoWhoGot)
  const db = temporaryDatabase(`
    CREATE TABLE rows (email TEXT PRIMARY KEY, status TEXT NOT NULL, tries INTEGER NOT NULL, standing TEXT)
      STRICT, WITHOUT ROWID;
    CREATE TABLE mailboxes (name TEXT PRIMARY KEY, letters INTEGER NOT NULL) STRICT, WITHOUT ROWID`)
  try {
    const addRow = db.prepare('INSERT OR IGNORE INTO rows VALUES (?, ?, ?, ?)')
    const rowOf = db.prepare('SELECT status, tries, standing FROM rows WHERE email = ?')
    const letters = db.prepare('SELECT letters FROM mailboxes WHERE name = ?')
    const count = db.prepare(`
      INSERT INTO mailboxes VALUES (?, 1) ON CONFLICT DO UPDATE SET letters = letters + 1`)
    for await (const rows of batches(store.deliveries(id), TURN)) {
      for (const { email, status, tries, standing } of rows) {
        if (email === undefined) continue
        addRow.run(email, status, tries, standing ?? null)
        if (status !== 'suppressed') count.run(mailboxOf(email))
      }
      await turn()
    }

    for await (const batch of batches(subscribers, batchSize)) {
      const emails = batch.map(({ email }) => email)
      const told = await toldAmong(store, earlier, emails)
      yield batch.map((one): Candidate => {
        const { email, standing } = one
        const row = rowOf.get(email) as Candidate['row']
        const subscriber = { ...one, row }
        // In the queue, somebody released would pass by what is looked at below.
        if (!row && standing === 'quarantined') return { ...subscriber, leftOut: 'quarantined' }
        const isReleased = row?.standing === 'quarantined' && mayBeWrittenTo(standing)
        const isNew = isReleased || (!row && mayBeWrittenTo(standing))
        if ((isNew || row?.standing === 'told') && told.has(email))
          return { ...subscriber, leftOut: 'told', isReleased }
        if (!isNew) return subscriber
        const why = isMailable(email) ? leavesOut?.(subscriber) : 'unmailable'
        if (why) return { ...subscriber, leftOut: why, isReleased }
        const mailbox = mailboxOf(email)
        if (Number(letters.get(mailbox)?.letters ?? 0) >= MOST_TO_A_MAILBOX)
          return { ...subscriber, leftOut: 'mailbox', isReleased }
        count.run(mailbox)
        return { ...subscriber, isReleased }
      })
      await turn()
    }
  } finally {
    db.close()
  }
}

/** Queues the recipients that were left out because of announcements now in `alsoWhoGot`. */
export async function bringBackTold(
  store: Store,
  owner: string,
  id: string,
  also: AlsoWhoGot,
): Promise<void> {
  const earlier = await leavingOut(store, id, also)
  for await (const rows of batches(store.deliveries(id, 'suppressed'), BATCH)) {
    const emails = rows.flatMap(({ standing, email = [] }) => (standing === 'told' ? email : []))
    const told = await toldAmong(store, earlier, emails)
    await store.bringBack(
      owner,
      id,
      emails.filter((email) => !told.has(email)),
      'told',
    )
  }
}

async function toldAmong(store: Store, earlier: string[], emails: readonly string[]) {
  return earlier.length > 0 ? store.toldAmong(earlier, emails) : new Set()
}
