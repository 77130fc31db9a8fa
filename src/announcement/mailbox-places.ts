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

/** Mailboxes are counted in so many groups: of a million people, few share one with others. */
const GROUPS = 2 ** 22

/**
 * Finds the mailboxes that may have too many addresses. Nearly every one has space for all of its own, and
 * looking up a million by their names takes longer than reading the list.
 */
export function mailboxGroups() {
  const counts = new Uint8Array(GROUPS)
  const crowded = new Set<number>()
  return {
    /** Counts an address. @returns the group of its mailbox */
    note(email: string): number {
      const group = groupOf(readMailbox(email).mailbox)
      const count = (counts[group] ?? 0) + 1
      if (count > MOST_TO_A_MAILBOX) crowded.add(group)
      else counts[group] = count
      return group
    },
    /** The groups with more addresses than a mailbox has letters. */
    crowded: (): ReadonlySet<number> => crowded,
  }
}

/** FNV-1a. */
function groupOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % GROUPS
}

/**
 * Gives out the places of crowded mailboxes: first to addresses without a tag, since those are the owner's,
 * then in the order of asking.
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
      // Others of its group are those who crowd it.
      if (all.letters + all.asking <= MOST_TO_A_MAILBOX) return true
      if (untagged) come.run(mailbox)
      const taken = untagged ? all.untagged : all.letters + all.expected
      if (taken >= MOST_TO_A_MAILBOX) return false
      give.run({ mailbox, untagged })
      return true
    },
  }
}
