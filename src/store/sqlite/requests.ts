import type { AddressIds } from '../../keys/address-id.ts'
import { pressed } from '../../people/changes.ts'
import { HOLDS_MS } from '../../people/confirmation-lifetime.ts'
import { knownFields } from '../../people/known-fields.ts'
import {
  extraOf,
  hasConsent,
  isOnList,
  nobody,
  type Person,
  pendingOf,
  whyNotMailed,
} from '../../people/person.ts'
import {
  ASKED,
  FAILED,
  heldTag,
  LETTERS,
  letterTag,
  mailboxTag,
  REQUESTED,
  SAID_NO,
  TO_CONFIRM,
  WITH_SIGNS,
} from '../../people/places.ts'
import type { PendingChange } from '../../people/press.ts'
import {
  type DecideLetter,
  decided,
  decideFor,
  type Found,
  released,
  settled,
  swept,
  withoutOwner,
  withoutRequest,
} from '../../people/requests.ts'
import { unreadable } from '../../people/stored.ts'
import { brakes, type HeldLetters } from '../../shared/held-letters.ts'
import type { ClaimedLetter, Requests, SettledLetter } from '../requests.ts'
import { isRequest, lines } from './arrivals.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { emptyLog } from './erase-traces.ts'
import { countOf } from './growth.ts'
import { letterCounts, RELEASED, releasedIn } from './letter-counts.ts'
import { countNote, numberIn, putNote } from './notes.ts'
import { inRecord } from './own-collection.ts'
import { type Persons, personsIn } from './persons.ts'
import { changeUnder, type Place, pagesUnder } from './persons-under.ts'
import { isAnyInLine, takeInById } from './taking-in.ts'

export function sqliteRequests(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Omit<Requests, 'requestConfirmation'> {
  const place = { database, addressIds }
  return { ...lettersOf(place), ...answersOf(place), ...heldOf(place), ...overOf(place) }
}

/** How many one transaction looks at, since visitors wait for its end. */
const MOST_LOOKED_AT = 50

function lettersOf({
  database,
  addressIds,
}: Place): Pick<Requests, 'claimLetters' | 'settleLetters'> {
  const settleLetters = database.together<readonly SettledLetter[]>((groups) =>
    writeBound(database, addressIds, (sql) => {
      const persons = personsIn(sql, addressIds)
      for (const { request, ...end } of groups.flat())
        persons.change(request.addressId, (one) => settled(one, { ...end, tries: request.tries }))
    }),
  )
  return {
    claimLetters: (limit, leaseMs, decide) =>
      writeBound(database, addressIds, (sql) => {
        const now = new Date()
        const due = dueIn(sql, now)
        const letters: ClaimedLetter[] = []
        for (const one of due) {
          if (letters.length >= limit) break
          const letter = claimed(sql, addressIds, one, decide, now, leaseMs)
          if (letter) letters.push(letter)
        }
        const isMore = letters.length >= limit || due.length === MOST_LOOKED_AT
        return { letters, isMore }
      }),
    settleLetters,
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
  sql: Sql,
  addressIds: AddressIds,
  { tag, at, n }: Due,
  decide: DecideLetter,
  now: Date,
  leaseMs: number,
): ClaimedLetter | undefined {
  const persons = personsIn(sql, addressIds)
  const { addressId = '', person = nobody } = persons.nth(n) ?? {}
  const one = person === unreadable ? nobody : withKnownOwner(persons, person)
  const { email = '', request: asked } = one
  if (!asked || letterTag(asked.line) !== tag || asked.dueAt.toISOString() !== at) {
    // Anybody may have written the file: a place that is not in a value keeps nobody waiting.
    sql('DELETE FROM places WHERE tag = ? AND at = ? AND n = ?').run(tag, at, n)
    return undefined
  }
  const found = foundOf(persons, addressIds, one)
  const { request, decision } = decideFor(
    decide,
    asked,
    { addressId, email },
    found,
    (network) => letterCounts(sql, addressIds, { ...asked, email, network }, now),
    now,
  )
  persons.change(addressId, () => decided(one, decision, now, leaseMs))
  const { pending, isSent } = decision
  return isSent && pending ? { request, pending, before: found.pending } : undefined
}

function answersOf(place: Place) {
  const { database, addressIds } = place
  function look(sql: Sql, addressId: string, email: string | undefined): Found {
    const persons = personsIn(sql, addressIds)
    const one = withKnownOwner(persons, persons.of(addressId))
    return foundOf(persons, addressIds, email === undefined ? one : { ...one, email })
  }
  return {
    async changePending<T>(
      addressId: string,
      decide: (found: Found, now: Date) => PendingChange<T>,
      email?: string,
    ) {
      // Most presses change nothing, and need no write.
      const looked = await database.read((sql) => ({
        isAny: isAnyInLine(sql),
        result: decide(look(sql, addressId, email), new Date()),
      }))
      if (looked.result.pending === undefined && !looked.isAny) return looked.result.result
      return writeBound(database, addressIds, (sql) => {
        takeInById(sql, addressIds, [addressId])
        const now = new Date()
        const change = decide(look(sql, addressId, email), now)
        personsIn(sql, addressIds).change(addressId, (one) => pressed(one, change, now))
        if (!change.pending || !change.consent) return change.result
        sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
        return change.result
      })
    },

    async *pending() {
      for await (const page of pagesUnder(place, ASKED))
        for (const { person } of page) {
          const pending = person === unreadable ? undefined : pendingOf(person)
          if (pending) yield pending
        }
    },
  } satisfies Partial<Requests>
}

/** What a decision about somebody goes by. */
function foundOf(persons: Persons, addressIds: AddressIds, one: Person): Found {
  const { email } = one
  const mailbox = email === undefined ? [] : persons.under(mailboxTag(email, addressIds))
  return {
    pending: pendingOf(one),
    mailbox: mailbox.flatMap(({ person }) =>
      person === unreadable ? [] : (pendingOf(person) ?? []),
    ),
    isOnList: isOnList(one),
    standing: whyNotMailed(one),
    ...knownFields(extraOf(one)),
  }
}

/** The same without who brought them, if that is nobody who confirmed, or somebody who is erased by now. */
const withKnownOwner = (persons: Persons, { fields, ...one }: Person): Person => ({
  ...withoutOwner({ ...one, fields: {} }, (id) => !hasConsent(persons.of(id))),
  fields,
})

function heldOf(place: Place) {
  const { database, addressIds } = place
  return {
    heldLetters: () =>
      database.read(
        (sql) =>
          Object.fromEntries(
            brakes.map((brake) => [brake, countOf(sql, heldTag(brake))]),
          ) as HeldLetters,
      ),

    async releaseLetters(brake) {
      const now = new Date()
      const number = await writeBound(database, addressIds, (sql) => {
        putNote(sql, RELEASED, { ...releasedIn(sql), [brake]: now })
        return countOf(sql, heldTag(brake))
      })
      await changeUnder(place, heldTag(brake), undefined, (one) => released(one, brake, now))
      return number
    },

    counts: () =>
      database.read((sql) => ({
        waiting:
          Number(sql(`SELECT count(*) AS n FROM documents WHERE ${isRequest}`).get()?.n) +
          countOf(sql, LETTERS),
        expired: numberIn(sql, 'expired'),
      })),

    async asked() {
      const failures: Record<string, number> = {}
      for await (const page of pagesUnder(place, FAILED))
        for (const { person } of page) {
          const { failure } = (person !== unreadable && person.pending) || {}
          if (failure) failures[failure] = (failures[failure] ?? 0) + 1
        }
      return database.read((sql) => ({
        saidNo: countOf(sql, SAID_NO),
        open: countOf(sql, TO_CONFIRM),
        withSigns: countOf(sql, WITH_SIGNS),
        failures,
        isAny: sql('SELECT 1 FROM places WHERE tag = ? LIMIT 1').get(ASKED) !== undefined,
      }))
    },
  } satisfies Partial<Requests>
}

function overOf(place: Place) {
  const { database } = place
  return {
    async sweepPending(now) {
      const held = new Set<string>()
      let isAnyErased = false
      const until = new Date(now.getTime() - HOLDS_MS)
      await changeUnder(place, ASKED, until, (one, sql) => {
        const { after, end } = swept(one, now)
        if (end === 'held' && one.email !== undefined) held.add(one.email)
        else if (end) isAnyErased = true
        if (end === 'expired') countNote(sql, 'expired')
        return after
      })
      if (isAnyErased) await emptyLog(database)
      return [...held]
    },

    async dropRequests(before) {
      const { changes } = await database.write((sql) =>
        sql(`DELETE FROM documents WHERE ${isRequest} AND ${inRecord('subscribedAt')} < ?`).run(
          before.toISOString(),
        ),
      )
      let isAnyErased = changes > 0
      await changeUnder(place, REQUESTED, before, (one) => {
        if (!one.request || one.request.askedAt >= before) return one
        isAnyErased = true
        return withoutRequest(one)
      })
      if (isAnyErased) await emptyLog(database)
    },
  } satisfies Partial<Requests>
}
