import { pressed } from '../../people/changes.ts'
import { HOLDS_MS } from '../../people/confirmation-lifetime.ts'
import {
  ASKED,
  FAILED,
  heldTag,
  LETTERS,
  letterTag,
  mailboxTag,
  REQUESTED,
  TO_CONFIRM,
  WITH_SIGNS,
} from '../../people/index-tags.ts'
import { knownFields } from '../../people/known-fields.ts'
import type { Pending } from '../../people/pending.ts'
import {
  extraOf,
  hasConsent,
  isOnList,
  nobody,
  type Person,
  pendingOf,
  whyNotMailed,
} from '../../people/person.ts'
import type { PendingChange } from '../../people/press-button.ts'
import {
  type ClaimedLetter,
  type DecideLetter,
  decided,
  decideFor,
  type Known,
  released,
  type SettledLetter,
  settled,
  swept,
  withoutOwner,
  withoutRequest,
} from '../../people/requests.ts'
import { type Brake, brakes, type HeldLetters } from '../../shared/held-letters.ts'
import { isAnyOf, isRequest, lines } from './arrivals.ts'
import type { Sql } from './connection.ts'
import { emptyLog } from './erase-traces.ts'
import { countOf } from './growth.ts'
import { letterCounts, RELEASED, releasedIn } from './letter-counts.ts'
import { countNote, numberIn, putNote } from './notes.ts'
import { type OpenList, pagesUnder } from './open-list.ts'
import { inRecord } from './own-collection.ts'
import type { Persons } from './persons.ts'

/**
 * Visitors who have to confirm their sign-up: the letters that must leave after the commit, and those
 * who have not confirmed. None of them is on the list before they confirm. The caller makes the
 * decisions; a decision may be asked for more than once, and is made in a transaction, only from its
 * arguments. Each method throws StoreUnavailable.
 */
export function sqliteRequests(list: OpenList) {
  return { ...lettersOf(list), ...answersOf(list), ...heldOf(list), ...overOf(list) }
}

/** How many one transaction looks at, since visitors wait for its end. */
const MOST_LOOKED_AT = 50

function lettersOf(list: OpenList) {
  return {
    /**
     * Looks at people whose letter is due, in the order of `placeInLine`, and does with each what
     * `decide` says.
     *
     * @param limit the most letters that are given. @param leaseMs when a given letter is due again,
     *   unless it is settled.
     * @returns the letters to send, noted as sent already, and whether some may be left that are due,
     *   since one look takes a limited number: never if it finished none of them, so that a caller that
     *   goes on at once comes to an end.
     */
    claimLetters: (limit: number, leaseMs: number, decide: DecideLetter) =>
      list.writePersons((persons) => {
        const now = new Date()
        const due = dueIn(persons.sql, now)
        const letters: ClaimedLetter[] = []
        for (const one of due) {
          if (letters.length >= limit) break
          const letter = claimed(persons, one, decide, now, leaseMs)
          if (letter) letters.push(letter)
        }
        const isMore = letters.length >= limit || due.length === MOST_LOOKED_AT
        return { letters, isMore }
      }),

    /** Notes how sending ended. */
    settleLetters: list.together<readonly SettledLetter[]>((groups) =>
      list.writePersons((persons) => {
        for (const { request, ...end } of groups.flat())
          persons.change(request.addressId, (one) => settled(one, { ...end, tries: request.tries }))
      }),
    ),
  }
}

interface Due {
  readonly tag: string
  readonly at: string
  readonly n: number
}

/** Those whose letter is due, in order. */
function dueIn(sql: Sql, now: Date): Due[] {
  const due: Due[] = []
  for (const line of lines) {
    const tag = letterTag(line)
    const rows = sql('SELECT at, n FROM places WHERE tag = ? AND at <= ? ORDER BY at, n LIMIT ?')
    const found = rows.all(tag, now.toISOString(), MOST_LOOKED_AT - due.length)
    due.push(...found.map(({ at, n }) => ({ tag, at: String(at), n: Number(n) })))
  }
  return due
}

/** Decides on the letter of somebody. @returns the letter, if it is to be sent. */
function claimed(
  persons: Persons,
  { tag, at, n }: Due,
  decide: DecideLetter,
  now: Date,
  leaseMs: number,
): ClaimedLetter | undefined {
  const { addressId = '', person = nobody } = persons.nth(n) ?? {}
  const one = withKnownOwner(persons, person)
  const { email = '', request: asked } = one
  if (!asked || letterTag(asked.line) !== tag || asked.dueAt.toISOString() !== at) {
    // Anybody may have written the file: a place that is not in a value keeps nobody waiting.
    persons.sql('DELETE FROM places WHERE tag = ? AND at = ? AND n = ?').run(tag, at, n)
    return undefined
  }
  const found = foundOf(persons, one)
  const { request, decision } = decideFor(
    decide,
    asked,
    { addressId, email },
    found,
    (network) => letterCounts(persons, { ...asked, email, network }, now),
    now,
  )
  persons.change(addressId, () => decided(one, decision, now, leaseMs))
  const { pending, isSent } = decision
  return isSent && pending ? { request, pending, before: found.pending } : undefined
}

function answersOf(list: OpenList) {
  const look = (persons: Persons, addressId: string): Known =>
    foundOf(persons, withKnownOwner(persons, persons.of(addressId)))
  return {
    /** Looks at the pending request of an address, and changes nothing. */
    lookAt: <T>(addressId: string, see: (found: Known, now: Date) => T): Promise<T> =>
      list.readPersons((persons) => see(look(persons, addressId), new Date())),

    /** Changes the pending request of an address. */
    async changePending<T>(
      addressId: string,
      decide: (found: Known, now: Date) => PendingChange<T>,
    ): Promise<T> {
      // Most presses change nothing, and need no write.
      const seen = await list.readPersons((persons) =>
        isAnyOf(persons.sql, addressId) ? undefined : decide(look(persons, addressId), new Date()),
      )
      if (seen && seen.pending === undefined) return seen.result
      return list.writeOf([addressId], (persons) => {
        const now = new Date()
        const change = decide(look(persons, addressId), now)
        persons.change(addressId, (one) => pressed(one, change, now))
        if (!change.pending || !change.consent) return change.result
        persons.sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
        return change.result
      })
    },

    /** All pending requests, in no order, in constant memory. */
    async *pending(): AsyncIterable<Pending> {
      for await (const page of pagesUnder(list, ASKED))
        for (const { person } of page) {
          const pending = pendingOf(person)
          if (pending) yield pending
        }
    },
  }
}

/** What a decision about somebody goes by. */
function foundOf(persons: Persons, one: Person): Known {
  const { email } = one
  const mailbox = email === undefined ? [] : persons.under(mailboxTag(email, persons.ids))
  return {
    pending: pendingOf(one),
    mailbox: mailbox.flatMap(({ person }) => pendingOf(person) ?? []),
    isOnList: isOnList(one),
    standing: whyNotMailed(one),
    ...knownFields(extraOf(one)),
  }
}

/** The same without who referred them, if that is nobody who confirmed, or somebody who is erased by now. */
const withKnownOwner = (persons: Persons, { fields, ...one }: Person): Person => ({
  ...withoutOwner({ ...one, fields: {} }, (id) => !hasConsent(persons.of(id))),
  fields,
})

function heldOf(list: OpenList) {
  return {
    /** How many letters are held, by reason. */
    heldLetters: () =>
      list.read(
        (sql) =>
          Object.fromEntries(
            brakes.map((brake) => [brake, countOf(sql, heldTag(brake))]),
          ) as HeldLetters,
      ),

    /** Releases all letters that are held for a reason. @returns how many were held. */
    async releaseLetters(brake: Brake): Promise<number> {
      const now = new Date()
      const number = await list.writePersons(({ sql }) => {
        putNote(sql, RELEASED, { ...releasedIn(sql), [brake]: now })
        return countOf(sql, heldTag(brake))
      })
      await list.changeUnder(heldTag(brake), undefined, (one) => released(one, brake, now))
      return number
    },

    /** How many letters have yet to leave, and how many requests have ever expired. */
    counts: () =>
      list.read((sql) => ({
        waiting:
          Number(sql(`SELECT count(*) AS n FROM documents WHERE ${isRequest}`).get()?.n) +
          countOf(sql, LETTERS),
        expired: numberIn(sql, 'expired'),
      })),

    /**
     * How many were asked, and have not confirmed; how many letters did not leave, by the mail server's
     * answer; whether anybody was asked in the last days.
     */
    async asked() {
      const failures: Record<string, number> = {}
      for await (const page of pagesUnder(list, FAILED))
        for (const { person } of page) {
          const { failure } = person.pending ?? {}
          if (failure) failures[failure] = (failures[failure] ?? 0) + 1
        }
      return list.read((sql) => ({
        open: countOf(sql, TO_CONFIRM),
        withSigns: countOf(sql, WITH_SIGNS),
        failures,
        isAny: sql('SELECT 1 FROM places WHERE tag = ? LIMIT 1').get(ASKED) !== undefined,
      }))
    },
  }
}

function overOf(list: OpenList) {
  return {
    /**
     * Erases requests that are over, so that their bytes are in none of the store's files.
     *
     * @returns the addresses on the list that are held, by `isHeldByLetter`: the caller has to forget them.
     */
    async sweepPending(now: Date): Promise<string[]> {
      const held = new Set<string>()
      let isAnyErased = false
      const until = new Date(now.getTime() - HOLDS_MS)
      await list.changeUnder(ASKED, until, (one, sql) => {
        const { after, end } = swept(one, now)
        if (end === 'held' && one.email !== undefined) held.add(one.email)
        else if (end) isAnyErased = true
        if (end === 'expired') countNote(sql, 'expired')
        return after
      })
      if (isAnyErased) await emptyLog(list)
      return [...held]
    },

    /** Erases requests from before then whose letter has not left, as `sweepPending` does. */
    async dropRequests(before: Date): Promise<void> {
      const { changes } = await list.write((sql) =>
        sql(`DELETE FROM documents WHERE ${isRequest} AND ${inRecord('subscribedAt')} < ?`).run(
          before.toISOString(),
        ),
      )
      let isAnyErased = changes > 0
      await list.changeUnder(REQUESTED, before, (one) => {
        if (!one.request || one.request.askedAt >= before) return one
        isAnyErased = true
        return withoutRequest(one)
      })
      if (isAnyErased) await emptyLog(list)
    },
  }
}
