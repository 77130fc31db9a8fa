import type { AddressIds } from '../../keys/address-id.ts'
import { mailboxOf } from '../../shared/address-folding.ts'
import type { Brake } from '../../shared/held-letters.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { sourceFrom } from '../../shared/source.ts'
import { placeInLine } from '../brake.ts'
import { knownFields } from '../known-fields.ts'
import type {
  Asked,
  ClaimedLetter,
  ConfirmationRequest,
  Found,
  Outbox,
  SettledLetter,
} from '../outbox.ts'
import {
  type Consent,
  consentIn,
  nothingShown,
  type Pending,
  pendingFrom,
  shownFrom,
} from '../pending.ts'
import { isHeldByLetter } from '../quarantine.ts'
import { referralOf } from '../referral.ts'
import type { Restorable } from '../restore-target.ts'
import { ANSWERED, cleanDetail, isLiftedByAnswer, outranks } from '../standing.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { emptyLog } from './erase-traces.ts'
import { watching } from './event-rows.ts'
import { groupCommit } from './group-commit.ts'
import { countSignUps, markListed } from './growth.ts'
import { sqliteHeldLetters } from './held-letters.ts'
import { extraOf, pendingOf, setConsent } from './known.ts'
import { letterCounts } from './letter-counts.ts'
import type { GrowthWatch } from './milestones.ts'
import { ownCollection } from './own-collection.ts'
import { pagesOf } from './pages.ts'
import { keepFirstSources } from './sources.ts'
import { entryOf, put, signUpOf, writeBound } from './standing-rows.ts'

/** How many rows one transaction looks at, since visitors wait for its end. */
const MOST_LOOKED_AT = 50

interface Request extends Asked {
  readonly email: string
}

/** @returns the outbox, and the function that closes it. */
export function sqliteOutbox(
  database: SqliteDatabase,
  addressIds: AddressIds,
  watch: GrowthWatch,
): { outbox: Outbox & Restorable<'pending'>; closeOutbox: () => Promise<void> } {
  const requests = groupCommit<Request[]>((groups) =>
    database.write((sql) => {
      const now = new Date().toISOString()
      // Most of a group saw the same page: written as text for each row, `shown` would cost more
      // than all the rest.
      for (const [shown, rows] of Map.groupBy(groups.flat(), (row) => row.shown))
        sql(`
          INSERT INTO outbox (email, askedAt, shown, isCrowd, dueAt, suspicion, source, network, broughtBy)
          SELECT value ->> 0, :now, :shown, value ->> 1, :now, value ->> 2, value ->> 3, value ->> 4,
            value ->> 5
          FROM json_each(:rows)`).run({
          now,
          shown: JSON.stringify(shown),
          rows: JSON.stringify(
            rows.map(({ email, isCrowd, suspicion, source, network, broughtBy }) => [
              ...[email, placeInLine(suspicion, isCrowd), suspicion],
              source && JSON.stringify(source),
              network,
              broughtBy,
            ]),
          ),
        })
      // Also for the address of a check, so that the disk is tested.
      sql('UPDATE commits SET number = number + 1').run()
    }),
  )

  const settled = groupCommit<readonly SettledLetter[]>((groups) =>
    writeBound(database, addressIds, (sql) => {
      for (const { request, change, dueAt } of groups.flat()) {
        const { id, addressId } = request
        const pending = change && pendingOf(sql, addressId)
        if (pending) keep(sql, addressId, change(pending))
        // Behind those that were not tried, so that it keeps none of them waiting.
        const putOff = sql('UPDATE outbox SET dueAt = ?, isCrowd = max(isCrowd, 1) WHERE id = ?')
        if (dueAt) putOff.run(dueAt.toISOString(), id)
        else sql('DELETE FROM outbox WHERE id = ?').run(id)
      }
    }),
  )

  function foundOf(sql: Sql, addressId: string, email: string | undefined): Found {
    const pending = withOwner(sql, pendingOf(sql, addressId))
    const address = email ?? pending?.email
    const entry = entryOf(sql, addressId)
    const extra = extraOf(sql, addressId)
    const rows =
      address === undefined
        ? []
        : sql('SELECT data FROM pending WHERE mailbox = ?').all(mailboxId(address))
    return {
      pending,
      mailbox: rows.flatMap(pendingsIn),
      isOnList: address !== undefined && signUpOf(sql, address) !== undefined,
      standing: entry?.standing === 'subscribed' ? undefined : entry,
      ...knownFields(extra),
    }
  }

  const counts = letterCounts(addressIds)
  const mailboxId = (email: string) => addressIds.of(mailboxOf(email))

  function keep(sql: Sql, addressId: string, pending: Pending) {
    const mailbox = pending.lastLetterAt ? mailboxId(pending.email) : null
    sql(`
      INSERT INTO pending
        (addressId, mailbox, data, network, domain, hiddenAskedAt, letterAt, isAnswered)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET mailbox = excluded.mailbox, data = excluded.data,
        network = excluded.network, domain = excluded.domain, letterAt = excluded.letterAt,
        hiddenAskedAt = excluded.hiddenAskedAt, isAnswered = excluded.isAnswered`).run(
      ...([addressId, mailbox, JSON.stringify(pending)] as const),
      ...counts.columns(pending),
    )
  }

  /**
   * Puts a confirmed address on the list, with the time of the request, and lifts its owner's no.
   */
  function confirm(sql: Sql, addressId: string, pending: Pending, consent: Consent, now: Date) {
    keepFirstSources(sql, [pending], pending.askedAt, addressIds)
    const isNew = signUpOf(sql, pending.email) === undefined
    sql(`
      INSERT INTO documents (id, collection, data)
      SELECT coalesce(max(id), 0) + 1, ${ownCollection},
        json_object('email', :email, 'subscribedAt', :subscribedAt) FROM documents
      WHERE true ON CONFLICT (data ->> 'email')
        DO UPDATE SET signedUpAt = :subscribedAt WHERE signedUpAt = ''`).run({
      email: pending.email,
      subscribedAt: pending.askedAt.toISOString(),
    })
    if (isNew) countSignUps(sql, pending.askedAt, 1)
    markListed(sql, addressId)
    const entry = entryOf(sql, addressId)
    if (entry && isLiftedByAnswer(entry.standing))
      put(sql, addressId, { standing: 'subscribed', at: now, detail: ANSWERED })
    sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
    setConsent(sql, addressId, consent, isNew ? referralOf(pending, now) : {})
  }

  const outbox: Outbox & Restorable<'pending'> = {
    requestConfirmation(email, asked) {
      if (isProbeAddress(email)) return requests.add([])
      const suspicion = cleanDetail(asked.suspicion)
      return requests.add([{ ...asked, email, suspicion }])
    },

    claimLetters: (limit, leaseMs, decide) =>
      writeBound(database, addressIds, (sql) => {
        const now = new Date()
        const due = sql(`
          SELECT * FROM outbox WHERE dueAt <= ?
          ORDER BY isCrowd, dueAt, id LIMIT ${MOST_LOOKED_AT}`).all(now.toISOString())
        const wait = sql(`
          UPDATE outbox SET dueAt = :dueAt, tries = tries + :tries, waitsFor = :waitsFor,
            isCrowd = max(isCrowd, :waitsFor IS NOT NULL)
          WHERE id = :id`)
        const put = (id: string, at: number, tries: 0 | 1, waitsFor: Brake | null = null) =>
          wait.run({ id, dueAt: new Date(at).toISOString(), tries, waitsFor })
        const letters: ClaimedLetter[] = []
        for (const row of due) {
          if (letters.length >= limit) break
          const request = withOwner(sql, requestIn(row, addressIds))
          const found = foundOf(sql, request.addressId, request.email)
          const counted = { ...found, counts: counts.of(sql, request, now) }
          const { pending, isSent, dueAt, waitsFor } = decide(request, counted, now)
          if (pending) keep(sql, request.addressId, pending)
          if (isSent && pending) {
            put(request.id, now.getTime() + leaseMs, 1)
            letters.push({ request, pending, before: found.pending })
          } else if (dueAt) put(request.id, dueAt.getTime(), 0, waitsFor)
          else sql('DELETE FROM outbox WHERE id = ?').run(request.id)
        }
        return { letters, isMore: letters.length >= limit || due.length === MOST_LOOKED_AT }
      }),

    settleLetters: (letters) => settled.add(letters),

    async changePending(addressId, decide, email) {
      // Most presses change nothing, and need no write.
      const looked = await database.read((sql) =>
        decide(foundOf(sql, addressId, email), new Date()),
      )
      if (!looked.pending) return looked.result
      const { result, seen } = await writeBound(database, addressIds, (sql) => {
        const now = new Date()
        const change = decide(foundOf(sql, addressId, email), now)
        const { result, pending, consent, isHeld = consent === null } = change
        if (!pending) return { result, seen: undefined }
        const noteEvents = watching(sql, addressIds, [pending])
        keep(sql, addressId, pending)
        if (consent) confirm(sql, addressId, pending, consent, now)
        else if (consent === null) setConsent(sql, addressId, undefined)
        if (isHeld) {
          const isListed = signUpOf(sql, pending.email) !== undefined
          const held = { standing: 'pending', at: now } as const
          const known = entryOf(sql, addressId)
          // A graver standing stays, and is not lifted where the hold ends.
          if (!known || outranks(held, known)) put(sql, addressId, held, isListed)
        } else if (change.isHeld === false) letGo(sql, addressId)
        noteEvents()
        return { result, seen: consent ? watch.look(sql, now) : undefined }
      })
      watch.kept(seen)
      return result
    },

    async *pending() {
      for await (const page of pagesOf(database, allPending, '')) yield* page.flatMap(pendingsIn)
    },

    ...sqliteHeldLetters(database, addressIds),

    counts: () =>
      database.read((sql) => ({
        waiting: Number(sql('SELECT count(*) AS n FROM outbox').get()?.n),
        expired: Number(sql('SELECT number FROM expired').get()?.number),
      })),

    async sweepPending(endOf) {
      const held: string[] = []
      let isAnyErased = false
      for await (const page of pagesOf(database, allPending, '')) {
        const over = page.flatMap(pendingsIn).filter((pending) => endOf(pending))
        if (over.length === 0) continue
        isAnyErased = true
        await writeBound(database, addressIds, (sql) => {
          for (const { email } of over) {
            const addressId = addressIds.of(email)
            // The address may have been left again since.
            const pending = pendingOf(sql, addressId)
            const end = pending && endOf(pending)
            if (!end) continue
            if (isHeldByLetter(entryOf(sql, addressId)?.standing, pending)) {
              held.push(email)
              continue
            }
            if (end === 'expired') sql('UPDATE expired SET number = number + 1').run()
            sql('DELETE FROM pending WHERE addressId = ?').run(addressId)
          }
        })
      }
      if (isAnyErased) await emptyLog(database)
      return held
    },

    async dropRequests(before) {
      const dropped = await database.write((sql) =>
        sql('DELETE FROM outbox WHERE askedAt < ?').run(before.toISOString()),
      )
      if (dropped.changes) await emptyLog(database)
    },

    restore: (restored) =>
      writeBound(database, addressIds, (sql) => {
        for (const pending of restored) {
          const addressId = addressIds.of(pending.email)
          const entry = entryOf(sql, addressId)
          // Forgotten since: that is newer than the copy.
          if (entry?.standing === 'forgotten' && entry.at >= pending.askedAt) continue
          if (!pendingOf(sql, addressId)) keep(sql, addressId, pending)
        }
      }),
  }
  const closeOutbox = async () => void (await Promise.all([requests.close(), settled.close()]))
  return { outbox, closeOutbox }
}

/** The same without who brought them, if that is nobody who confirmed, or somebody who is erased by now. */
function withOwner<T extends Pick<Asked, 'broughtBy'> | undefined>(sql: Sql, asked: T): T {
  const { broughtBy } = asked ?? {}
  const isTheirs = broughtBy === undefined || consentIn(extraOf(sql, broughtBy))
  return isTheirs ? asked : { ...asked, broughtBy: undefined }
}

/** Ends a hold: the address has its earlier standing again. */
function letGo(sql: Sql, addressId: string) {
  sql(`DELETE FROM standings WHERE addressId = ? AND standing = 'pending'`).run(addressId)
}

const allPending = 'SELECT addressId AS id, data FROM pending WHERE addressId > :last'
const pendingsIn = ({ data }: { data?: unknown }) => pendingFrom(data) ?? []

function requestIn(
  row: Readonly<Record<string, unknown>>,
  addressIds: AddressIds,
): ConfirmationRequest {
  const email = String(row.email)
  return {
    id: String(row.id),
    email,
    addressId: addressIds.of(email),
    at: new Date(String(row.askedAt)),
    shown: shownFrom(row.shown) ?? nothingShown,
    ...(typeof row.suspicion === 'string' && { suspicion: row.suspicion }),
    source: sourceFrom(row.source),
    ...(typeof row.network === 'string' && { network: row.network }),
    ...(typeof row.broughtBy === 'string' && { broughtBy: row.broughtBy }),
    tries: Number(row.tries),
  }
}
