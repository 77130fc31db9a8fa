import type { DatabaseSync } from 'node:sqlite'
import { isTagged, mailboxOf } from '../shared/mailbox.ts'

/**
 * The most letters of one announcement that go to one mailbox, whatever the number of its
 * addresses.
 */
export const MOST_TO_A_MAILBOX = 3

export const mailboxSchema = `
  CREATE TABLE mailboxes (
    name TEXT PRIMARY KEY,
    -- Letters that go to it, and how many of them to addresses without a tag.
    letters INTEGER NOT NULL DEFAULT 0, untagged INTEGER NOT NULL DEFAULT 0,
    -- Addresses without a tag that have yet to be given a place.
    expected INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`

/**
 * Gives out the places of each mailbox: to its addresses without a tag first, since those are its
 * owner's, and then in the order in which they are asked for.
 *
 * @param db a temporary database that has `mailboxSchema`.
 */
export function mailboxPlaces(db: DatabaseSync) {
  const expect = db.prepare(`
    INSERT INTO mailboxes (name, expected) VALUES (?, 1)
    ON CONFLICT DO UPDATE SET expected = expected + 1`)
  const give = db.prepare(`
    INSERT INTO mailboxes (name, letters, untagged) VALUES (:name, 1, :untagged)
    ON CONFLICT DO UPDATE SET letters = letters + 1, untagged = untagged + :untagged`)
  const come = db.prepare('UPDATE mailboxes SET expected = expected - 1 WHERE name = ?')
  const of = db.prepare('SELECT letters, untagged, expected FROM mailboxes WHERE name = ?')

  function given(email: string) {
    give.run({ name: mailboxOf(email), untagged: isTagged(email) ? 0 : 1 })
  }

  return {
    /** Notes an address that has its place already. */
    given,

    /** Notes an address that is to ask for a place later. */
    expect(email: string) {
      if (!isTagged(email)) expect.run(mailboxOf(email))
    },

    /**
     * Gives an address that was expected a place, if there is one. An address without a tag has one
     * even where a letter went to three with a tag before it came.
     */
    take(email: string): boolean {
      const hasTag = isTagged(email)
      const name = mailboxOf(email)
      if (!hasTag) come.run(name)
      const { letters = 0, untagged = 0, expected = 0 } = of.get(name) ?? {}
      const taken = hasTag ? Number(letters) + Number(expected) : Number(untagged)
      if (taken >= MOST_TO_A_MAILBOX) return false
      given(email)
      return true
    },
  }
}
