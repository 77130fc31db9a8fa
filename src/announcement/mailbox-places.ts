import type { DatabaseSync } from 'node:sqlite'
import { MOST_TO_A_MAILBOX, readMailbox } from '../shared/address-folding.ts'

export const mailboxSchema = `
  CREATE TABLE mailboxes (
    name TEXT PRIMARY KEY,
    -- Letters to this mailbox, and how many of them to addresses without a tag.
    letters INTEGER NOT NULL DEFAULT 0, untagged INTEGER NOT NULL DEFAULT 0,
    -- Addresses that ask for a place, and those without a tag among them that have yet to be answered.
    asking INTEGER NOT NULL DEFAULT 0, expected INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`

/**
 * Gives out the places of each mailbox: first to its addresses without a tag, since those are its
 * owner's, then in the order of asking.
 *
 * @param db a temporary database that has `mailboxSchema`.
 */
export function mailboxPlaces(db: DatabaseSync) {
  const give = db.prepare(`
    INSERT INTO mailboxes (name, letters, untagged) VALUES (:mailbox, 1, :untagged)
    ON CONFLICT DO UPDATE SET letters = letters + 1, untagged = untagged + :untagged`)
  const ask = db.prepare(`
    INSERT INTO mailboxes (name, asking, expected) VALUES (:mailbox, 1, :untagged)
    ON CONFLICT DO UPDATE SET asking = asking + 1, expected = expected + :untagged`)
  const come = db.prepare('UPDATE mailboxes SET expected = expected - 1 WHERE name = ?')
  const of = db.prepare('SELECT letters, untagged, asking, expected FROM mailboxes WHERE name = ?')

  const named = (email: string) => {
    const { mailbox, isTagged } = readMailbox(email)
    return { mailbox, untagged: isTagged ? 0 : 1 }
  }

  return {
    /** Notes an address that has its place already. */
    given: (email: string) => void give.run(named(email)),

    /** Notes an address that is to `take` a place later. */
    expect: (email: string) => void ask.run(named(email)),

    /**
     * Gives an address that was expected a place, if there is one. An address without a tag has one
     * even where a letter went to three with a tag before it came.
     */
    take(email: string): boolean {
      const { mailbox, untagged } = named(email)
      const all = of.get(mailbox) as Record<'letters' | 'untagged' | 'asking' | 'expected', number>
      // Nearly every mailbox has room for all of its addresses.
      if (all.letters + all.asking <= MOST_TO_A_MAILBOX) return true
      if (untagged) come.run(mailbox)
      const taken = untagged ? all.untagged : all.letters + all.expected
      if (taken >= MOST_TO_A_MAILBOX) return false
      give.run({ mailbox, untagged })
      return true
    },
  }
}
