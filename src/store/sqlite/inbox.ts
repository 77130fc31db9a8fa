import type { AddressIds } from '../../keys/address-id.ts'
import { forget, merge, sayNo, signUp } from '../../people/changes.ts'
import { beyondDoubt, mayBeAsked } from '../../people/late.ts'
import { isOnList, nobody, type Person, whyNotMailed } from '../../people/person.ts'
import { ask } from '../../people/requests.ts'
import { type Standing, type StandingEntry, standings } from '../../people/standing.ts'
import type {
  Collected,
  CollectedRequest,
  CollectState,
  Erasure,
  KeptNo,
  Look,
  UntoldNo,
} from '../inbox.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import {
  changeState,
  eraseElsewhere,
  INBOX,
  type NoKeys,
  noKeysIn,
  noteKey,
  noteStanding,
  stateIn,
} from './inbox-rows.ts'
import { putNote } from './notes.ts'
import { inRecord } from './own-collection.ts'
import { pagesOf } from './pages.ts'
import { personsIn } from './persons.ts'
import type { Place } from './persons-under.ts'
import { erase, erasing } from './standings.ts'
import { takeInOf } from './taking-in.ts'

/** The list's side of taking in from Firestore. Each method throws StoreUnavailable. */
export function sqliteCollecting(database: SqliteDatabase, addressIds: AddressIds) {
  const place = { database, addressIds }
  return {
    ...looking(place),
    ...takingInOf(place),
    ...requestsOf(place),
    ...noesOf(place),
    ...erasuresOf(place),
  }
}

function looking({ database, addressIds }: Place) {
  return {
    state: () => database.read(stateIn),

    /** Begins anew: forgets what was taken in, and the noes of the inbox before. */
    begin: (state: CollectState) =>
      writeBound(database, addressIds, (sql) => {
        for (const table of ['Documents', 'Requests', 'Waiting', 'People', 'Noes'])
          sql(`DELETE FROM inbox${table}`).run()
        putNote(sql, INBOX, state)
      }),

    change: (state: Partial<CollectState>) => database.write((sql) => changeState(sql, state)),

    /** Of these documents, those that were taken in, or wait. */
    known: (ids: readonly string[]) =>
      database.read((sql) => new Set(ids.filter((id) => isKnown(sql, id)))),

    /**
     * Keeps documents until they are judged, with the look that found them.
     *
     * @param odd the ids of those that are no sign-ups.
     */
    keepWaiting: (documents: readonly Collected[], odd: readonly string[], look: Look) =>
      writeBound(database, addressIds, (sql) => {
        const keep = sql('INSERT OR IGNORE INTO inboxWaiting (id, email, at) VALUES (?, ?, ?)')
        for (const { id, email, at } of documents) keep.run(id, email, at.toISOString())
        for (const id of odd) noteDocument(sql, id)
        changeState(sql, { look })
      }),

    /** How many documents were taken in, odd ones included. */
    async counted() {
      const row = await database.read((sql) =>
        sql(`
          SELECT (SELECT count(*) FROM inboxDocuments) + (SELECT count(*) FROM inboxWaiting) AS n`).get(),
      )
      return Number(row?.n)
    },
  }
}

function takingInOf(place: Place) {
  const { database, addressIds } = place
  return {
    /** Those that wait, in the order of their own times. */
    waiting: (limit: number): Promise<Collected[]> =>
      database.read((sql) =>
        sql('SELECT id, email, at FROM inboxWaiting ORDER BY at, id LIMIT ?')
          .all(limit)
          .map(({ id, email, at }) => ({
            id: String(id),
            email: String(email),
            at: new Date(String(at)),
          })),
      ),

    /** Takes in documents that waited, each once. */
    takeIn: (documents: readonly Collected[]) =>
      writeBound(database, addressIds, (sql) => {
        const noKeyOf = noKeysIn(sql)
        const theirs = documents.map(({ email }) => addressIds.of(email))
        takeInOf(sql, addressIds, theirs)
        for (const one of documents) takeIn(sql, place, one, noKeyOf)
      }),
  }
}

function requestsOf({ database, addressIds }: Place) {
  return {
    /**
     * Puts requests to confirm into the outbox, each once; not if the owner said no since.
     *
     * @param others the ids of those that are only emptied.
     */
    takeInRequests: (requests: readonly CollectedRequest[], others: readonly string[]) =>
      writeBound(database, addressIds, (sql) => {
        const note = sql('INSERT OR IGNORE INTO inboxRequests (id) VALUES (?)')
        const persons = personsIn(sql, addressIds)
        for (const { id, email, at, asked } of requests) {
          if (note.run(keyOf(id)).changes === 0) continue
          const addressId = addressIds.of(email)
          if (mayBeAsked(at, whyNotMailed(persons.of(addressId))))
            persons.change(addressId, (one) => ask(one, email, asked, at))
        }
        for (const id of others) note.run(keyOf(id))
      }),

    /** Of these, the requests that were taken in. */
    knownRequests: (ids: readonly string[]) =>
      database.read((sql) => {
        const find = sql('SELECT 1 FROM inboxRequests WHERE id = ?')
        return new Set(ids.filter((id) => find.get(keyOf(id))))
      }),

    /** Forgets ids of requests that are empty at Google. */
    forgetRequests: (ids: readonly string[]) =>
      database.writeUnsynced((sql) => {
        for (const id of ids) sql('DELETE FROM inboxRequests WHERE id = ?').run(keyOf(id))
      }),
  }
}

function noesOf(place: Place) {
  const { database } = place
  return {
    /** The noes that are not kept at Google yet, some hundred at most. */
    untoldNoes: (limit: number): Promise<UntoldNo[]> =>
      database.read((sql) =>
        sql(`
          SELECT addressId, noKey, standing, at
          FROM inboxPeople
          WHERE standing IS NOT NULL AND told IS NOT standing || at
            AND NOT (told IS NULL AND standing = 'subscribed')
          LIMIT ?`)
          .all(limit)
          .map(({ addressId, noKey, standing, at }) => ({
            addressId: String(addressId),
            key: String(noKey),
            standing: standing as Standing,
            at: new Date(String(at)),
          })),
      ),

    noteTold: (noes: readonly UntoldNo[]) =>
      database.write((sql) => {
        const note = sql('UPDATE inboxPeople SET told = ? WHERE addressId = ?')
        for (const one of noes) note.run(toldOf(one), one.addressId)
      }),

    /** Keeps noes that were read at Google. */
    keepNoes: (noes: readonly KeptNo[]) =>
      database.write((sql) => {
        const keep = sql('INSERT OR REPLACE INTO inboxNoes (noKey, standing, at) VALUES (?, ?, ?)')
        for (const { key, standing, at } of noes) keep.run(key, standing, at.toISOString())
      }),

    /** Sets the noes that were read at Google for everybody on the list. */
    async applyNoes() {
      // The first time, it is noted for everybody how their own no is kept there.
      if (!(await database.read((sql) => isAnyNo(sql) || stateIn(sql)?.at === 0))) return
      const everybody = `SELECT id, ${inRecord('email')} AS email FROM documents WHERE waits IS NULL AND id > :last`
      for await (const page of pagesOf(database, everybody, 0)) {
        const emails = page.flatMap(({ email }) => (email === null ? [] : [String(email)]))
        const gone = await database.read((sql) => {
          const noKeyOf = noKeysIn(sql)
          return emails.filter((email) => isErased(saidNo(sql, place, email, noKeyOf).one))
        })
        await erasing(place, gone, (sql) => {
          const noKeyOf = noKeysIn(sql)
          takeInOf(sql, place.addressIds, emails.map(place.addressIds.of))
          for (const email of emails)
            if (applyNo(sql, place, email, noKeyOf) && !gone.includes(email)) gone.push(email)
        })
      }
    },
  }
}

function erasuresOf({ database, addressIds }: Place) {
  return {
    /** What is to be erased at Google, some hundred at most. */
    erasures: (limit: number): Promise<Erasure[]> =>
      database.read((sql) =>
        sql('SELECT sealed, at FROM inboxErasures LIMIT ?')
          .all(limit)
          .flatMap(({ sealed, at }) => {
            const email = addressIds.unseal(String(sealed))
            return email === undefined ? [] : { email, at: new Date(String(at)) }
          }),
      ),

    async countErasures() {
      const row = await database.read((sql) => sql('SELECT count(*) AS n FROM inboxErasures').get())
      return Number(row?.n)
    },

    /** Takes documents out of those that were taken in, before they are removed. */
    forgetDocuments: (ids: readonly string[]) =>
      database.write((sql) => {
        for (const id of ids) sql('DELETE FROM inboxDocuments WHERE id = ?').run(keyOf(id))
      }),

    noteErased: ({ email, at }: Erasure) =>
      database.write((sql) => {
        sql('DELETE FROM inboxErasures WHERE addressId = ? AND at = ?').run(
          ...[addressIds.of(email), at.toISOString()],
        )
      }),
  }
}

/** Takes in a document once: it lifts a no that was said before its own time, by either clock. */
function takeIn(
  sql: Sql,
  { addressIds }: Place,
  { id, email, at, suspicion }: Collected,
  noKeyOf: NoKeys | undefined,
): void {
  sql('DELETE FROM inboxWaiting WHERE id = ?').run(id)
  if (!noteDocument(sql, id)) return
  const addressId = addressIds.of(email)
  const no = noIn(sql, noKeyOf?.(email))
  noteKey(sql, addressIds, email, noKeyOf, no && toldOf(no))
  const changed = personsIn(sql, addressIds).change(addressId, (one) =>
    signUp(withNo(one, no), { email, at, suspicion, lifts: beyondDoubt(at) }),
  )
  // It came late, or the list that had to erase it is lost.
  const { forgottenAt } = changed?.after ?? {}
  if (changed && forgottenAt && !isOnList(changed.after))
    eraseElsewhere(sql, addressIds, email, forgottenAt)
}

/** Somebody with a no that is kept at Google. */
function withNo(one: Person, no: StandingEntry | undefined): Person {
  if (!no || no.standing === 'subscribed') return one
  return no.standing === 'forgotten'
    ? merge(one, forget(nobody, no.at))
    : sayNo(one, no.standing, no)
}

/** What is kept of a no at Google, and somebody with it. */
function saidNo(sql: Sql, { addressIds }: Place, email: string, noKeyOf: NoKeys | undefined) {
  const no = noIn(sql, noKeyOf?.(email))
  return { no, one: withNo(personsIn(sql, addressIds).of(addressIds.of(email)), no) }
}

const isErased = (one: Person) => one.forgottenAt !== undefined && !isOnList(one)

/** @returns whether the address was erased. */
function applyNo(sql: Sql, place: Place, email: string, noKeyOf: NoKeys | undefined): boolean {
  const { addressIds } = place
  const { no, one } = saidNo(sql, place, email, noKeyOf)
  noteKey(sql, addressIds, email, noKeyOf, no && toldOf(no))
  if (isErased(one)) {
    erase(sql, addressIds, email, one.forgottenAt)
    return true
  }
  const addressId = addressIds.of(email)
  personsIn(sql, addressIds).change(addressId, () => one)
  noteStanding(sql, addressId, one, noKeyOf)
  return false
}

/** A page makes ids of 64 hexadecimal digits, which take half the room as bytes. */
function keyOf(id: string): string | Uint8Array {
  return /^[0-9a-f]{64}$/.test(id) ? Buffer.from(id, 'hex') : id
}

/** @returns whether it is new. */
function noteDocument(sql: Sql, id: string): boolean {
  return sql('INSERT OR IGNORE INTO inboxDocuments (id) VALUES (?)').run(keyOf(id)).changes > 0
}

function isKnown(sql: Sql, id: string): boolean {
  const taken = sql('SELECT 1 FROM inboxDocuments WHERE id = ?').get(keyOf(id))
  return taken !== undefined || !!sql('SELECT 1 FROM inboxWaiting WHERE id = ?').get(id)
}

const isAnyNo = (sql: Sql) => sql('SELECT 1 FROM inboxNoes LIMIT 1').get() !== undefined

function noIn(sql: Sql, noKey = ''): StandingEntry | undefined {
  const row = sql('SELECT standing, at FROM inboxNoes WHERE noKey = ?').get(noKey)
  const standing = standings.find((one) => one === row?.standing)
  if (!row || !standing || standing === 'subscribed') return undefined
  return { standing, at: new Date(String(row.at)) }
}

/** As the query of `untoldNoes` has it. */
const toldOf = ({ standing, at }: Pick<KeptNo | UntoldNo, 'standing' | 'at'> | StandingEntry) =>
  `${standing}${at.toISOString()}`
