import { isErased } from '../../people/person.ts'
import type { Standing } from '../../people/standing.ts'
import { type Arrival, type Collection, FOUND } from '../arrival.ts'
import type { CollectState, Erasure, FoundSignUp, KeptNo, Look } from '../inbox.ts'
import { append } from './arrivals.ts'
import type { Sql } from './connection.ts'
import { changeState, INBOX, keptNoes, stateIn } from './inbox-rows.ts'
import { putNote } from './notes.ts'
import type { OpenList } from './open-list.ts'
import { inRecord } from './own-collection.ts'
import { pagesOf } from './paged-rows.ts'
import type { Persons } from './persons.ts'
import { erase, erasing } from './standings.ts'
import { takeInOf } from './taking-in.ts'

/**
 * The list's side of reading from Firestore: what is read is appended, and taken in like all else. Each
 * method throws StoreUnavailable.
 */
export function sqliteCollecting(list: OpenList) {
  return { ...lookingIn(list), ...appendingTo(list), ...noesOf(list), ...erasuresOf(list) }
}

function lookingIn(list: OpenList) {
  return {
    state: () => list.read(stateIn),

    /** Begins anew: forgets what was read, and the noes of the inbox before. */
    begin: (state: CollectState) =>
      list.writePersons(({ sql }) => {
        for (const table of ['inboxDocuments', 'inboxNoes']) sql(`DELETE FROM ${table}`).run()
        sql(`DELETE FROM documents WHERE waits = ${FOUND}`).run()
        putNote(sql, INBOX, state)
      }),

    change: (state: Partial<CollectState>) => list.write((sql) => changeState(sql, state)),

    /** How many documents of the list were read, odd ones included. */
    async counted() {
      const row = await list.read((sql) =>
        sql("SELECT count(*) AS n FROM inboxDocuments WHERE collection = 'subscribers'").get(),
      )
      return Number(row?.n)
    },
  }
}

function appendingTo(list: OpenList) {
  return {
    /**
     * Keeps what a look found, each document once, until it is judged.
     *
     * @param found those that are no sign-ups have only an id. @param after the look with those that are new.
     */
    keepFound: (
      found: readonly (Pick<FoundSignUp, 'id'> & Partial<FoundSignUp>)[],
      after: (fresh: number) => Look,
    ) =>
      list.writePersons((persons) => {
        const { sql } = persons
        const fresh = found.filter(({ id }) => noteDocument(sql, 'subscribers', id))
        const signUps = fresh.flatMap(({ email, at }) => (email && at ? [{ email, at }] : []))
        const arrivals = signUps.map(({ email, at }) => ({ who: { email }, at, ...asFound }))
        if (arrivals.length > 0) append(persons, arrivals)
        const look = after(fresh.length)
        const latest = Math.max(stateIn(sql)?.latest ?? 0, ...signUps.map(({ at }) => Number(at)))
        changeState(sql, { look, latest })
        return look
      }),

    /** Appends some of what was found, in the order of their own times. @returns how many. */
    async appendFound(limit: number, arrivalOf: (one: JudgedBy) => Arrival): Promise<number> {
      const isAny = `SELECT 1 FROM documents WHERE waits = ${FOUND} LIMIT 1`
      if (!(await list.read((sql) => sql(isAny).get()))) return 0
      return list.writePersons((persons) => {
        const { sql } = persons
        const found = sql(`
          SELECT id, ${inRecord('email')} AS email, ${inRecord('subscribedAt')} AS at
          FROM documents INDEXED BY "found, in order"
          WHERE waits = ${FOUND} ORDER BY at LIMIT ?`).all(limit)
        const arrivals = found.map(({ email, at }) =>
          arrivalOf({ email: String(email), at: new Date(String(at)) }),
        )
        append(persons, arrivals)
        const ids = JSON.stringify(found.map(({ id }) => id))
        sql('DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?))').run(ids)
        return found.length
      })
    },

    /** Appends requests to confirm, each document once until it is forgotten. */
    appendRequests: <T extends { readonly id: string }>(
      documents: readonly T[],
      arrivalOf: (one: T) => Arrival,
    ) =>
      list.write((sql) => {
        const fresh = documents.filter(({ id }) => noteDocument(sql, 'confirmationRequests', id))
        append({ sql, ids: list.ids }, fresh.map(arrivalOf))
      }),

    /** Takes documents out of those that were read: they are empty at Google, or are to be removed. */
    forgetDocuments: (collection: Collection, ids: readonly string[]) =>
      list.write((sql) => {
        const forget = sql('DELETE FROM inboxDocuments WHERE collection = ? AND id = ?')
        for (const id of ids) forget.run(collection, keyOf(id))
      }),
  }
}

const asFound = { to: 'subscribers', line: FOUND, seen: {} } as const
type JudgedBy = Pick<FoundSignUp, 'email' | 'at'>

function noesOf(list: OpenList) {
  return {
    /** The noes that are not kept at Google yet, some hundred at most. */
    untoldNoes: (limit: number): Promise<KeptNo[]> =>
      list.read((sql) =>
        sql('SELECT noKey, standing, at FROM inboxNoes WHERE isTold = 0 LIMIT ?')
          .all(limit)
          .map(({ noKey, standing, at }) => ({
            key: String(noKey),
            standing: standing as Standing,
            at: new Date(String(at)),
          })),
      ),

    noteTold: (noes: readonly KeptNo[]) =>
      list.write((sql) => {
        const note = sql(
          'UPDATE inboxNoes SET isTold = 1 WHERE noKey = ? AND standing = ? AND at = ?',
        )
        for (const { key, standing, at } of noes) note.run(key, standing, at.toISOString())
      }),

    /** Keeps noes that were read at Google; what was said here since stays. */
    keepNoes: (noes: readonly KeptNo[]) =>
      list.write((sql) => {
        const keep = sql(
          'INSERT OR IGNORE INTO inboxNoes (noKey, standing, at, isTold) VALUES (?, ?, ?, 1)',
        )
        for (const { key, standing, at } of noes) keep.run(key, standing, at.toISOString())
      }),

    /** Sets the noes that were read at Google for everybody on the list, and notes theirs to be told. */
    async applyNoes() {
      const everybody = `SELECT id, ${inRecord('email')} AS email FROM documents WHERE waits IS NULL AND id > :last`
      for await (const page of pagesOf(list, everybody, 0)) {
        const emails = page.flatMap(({ email }) => (email === null ? [] : [String(email)]))
        const gone = await list.readPersons((persons) => {
          const kept = keptNoes(persons.sql)
          return emails.filter((email) =>
            isErased(kept.with(persons.of(list.ids.of(email)), email)),
          )
        })
        await erasing(list, gone, (persons) => {
          takeInOf(persons, emails.map(list.ids.of))
          applyTo(persons, emails)
        })
      }
    },
  }
}

function applyTo(persons: Persons, emails: readonly string[]): void {
  const kept = keptNoes(persons.sql)
  for (const email of emails) {
    const addressId = persons.ids.of(email)
    const one = kept.with(persons.of(addressId), email)
    if (isErased(one)) erase(persons, email, one.forgottenAt)
    else persons.change(addressId, (before) => kept.with(before, email))
    kept.note(one, email)
  }
}

function erasuresOf(list: OpenList) {
  return {
    /** What is to be erased at Google, some hundred at most. */
    erasures: (limit: number): Promise<Erasure[]> =>
      list.read((sql) =>
        sql('SELECT sealed, at FROM inboxErasures LIMIT ?')
          .all(limit)
          .flatMap(({ sealed, at }) => {
            const email = list.ids.unseal(String(sealed))
            return email === undefined ? [] : { email, at: new Date(String(at)) }
          }),
      ),

    async countErasures() {
      const row = await list.read((sql) => sql('SELECT count(*) AS n FROM inboxErasures').get())
      return Number(row?.n)
    },

    noteErased: ({ email, at }: Erasure) =>
      list.write((sql) => {
        sql('DELETE FROM inboxErasures WHERE addressId = ? AND at = ?').run(
          ...[list.ids.of(email), at.toISOString()],
        )
      }),
  }
}

/** @returns whether it is new. */
function noteDocument(sql: Sql, collection: Collection, id: string): boolean {
  const note = sql('INSERT OR IGNORE INTO inboxDocuments (collection, id) VALUES (?, ?)')
  return note.run(collection, keyOf(id)).changes > 0
}

/** A page makes ids of 64 hexadecimal digits, which take half the room as bytes. */
function keyOf(id: string): string | Uint8Array {
  return /^[0-9a-f]{64}$/.test(id) ? Buffer.from(id, 'hex') : id
}
