import type { AddressIds } from '../../keys/address-id.ts'
import { pressed } from '../../people/changes.ts'
import { knownFields } from '../../people/known-fields.ts'
import { nothingShown, type Pending, pendingFrom, shownFrom } from '../../people/pending.ts'
import { extraOf, hasConsent, isOnList, whyNotMailed } from '../../people/person.ts'
import { cleanDetail } from '../../people/standing.ts'
import { mailboxOf } from '../../shared/address-folding.ts'
import type { Brake } from '../../shared/held-letters.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { sourceFrom } from '../../shared/source.ts'
import { placeInLine } from '../brake.ts'
import type {
  Asked,
  ClaimedLetter,
  ConfirmationRequest,
  Found,
  Outbox,
  SettledLetter,
} from '../outbox.ts'
import { isHeldByLetter } from '../quarantine.ts'
import type { Restorable } from '../restore-target.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { emptyLog } from './erase-traces.ts'
import { groupCommit } from './group-commit.ts'
import { sqliteHeldLetters } from './held-letters.ts'
import { letterCounts } from './letter-counts.ts'
import { noteMilestonesIfTold } from './milestones.ts'
import { pagesOf } from './pages.ts'
import { pendingOf } from './pending-rows.ts'
import { personsIn } from './persons.ts'

/** How many rows one transaction looks at, since visitors wait for its end. */
const MOST_LOOKED_AT = 50

interface Request extends Asked {
  readonly email: string
}

/** @returns the outbox, and the function that closes it. */
export function sqliteOutbox(
  database: SqliteDatabase,
  addressIds: AddressIds,
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
    const pending = withOwner(sql, addressIds, pendingOf(sql, addressId))
    const address = email ?? pending?.email
    const one = personsIn(sql, addressIds).of(addressId)
    const rows =
      address === undefined
        ? []
        : sql('SELECT data FROM pending WHERE mailbox = ?').all(mailboxId(address))
    return {
      pending,
      mailbox: rows.flatMap(pendingsIn),
      isOnList: isOnList(one),
      standing: whyNotMailed(one),
      ...knownFields(extraOf(one)),
    }
  }

  const standingIn = (sql: Sql, addressId: string) =>
    whyNotMailed(personsIn(sql, addressIds).of(addressId))?.standing
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
          const request = withOwner(sql, addressIds, requestIn(row, addressIds))
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
      return writeBound(database, addressIds, (sql) => {
        const now = new Date()
        const change = decide(foundOf(sql, addressId, email), now)
        const { result, pending, consent } = change
        if (!pending) return result
        keep(sql, addressId, pending)
        personsIn(sql, addressIds).change(addressId, (one) => pressed(one, change, now))
        if (!consent) return result
        sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
        noteMilestonesIfTold(sql, now)
        return result
      })
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
            if (isHeldByLetter(standingIn(sql, addressId), pending)) {
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
          const { forgottenAt } = personsIn(sql, addressIds).of(addressId)
          // Forgotten since: that is newer than the copy.
          if (forgottenAt && forgottenAt >= pending.askedAt) continue
          if (!pendingOf(sql, addressId)) keep(sql, addressId, pending)
        }
      }),
  }
  const closeOutbox = async () => void (await Promise.all([requests.close(), settled.close()]))
  return { outbox, closeOutbox }
}

/** The same without who brought them, if that is nobody who confirmed, or somebody who is erased by now. */
function withOwner<T extends Pick<Asked, 'broughtBy'> | undefined>(
  sql: Sql,
  addressIds: AddressIds,
  asked: T,
): T {
  const { broughtBy } = asked ?? {}
  const isTheirs = broughtBy === undefined || hasConsent(personsIn(sql, addressIds).of(broughtBy))
  return isTheirs ? asked : { ...asked, broughtBy: undefined }
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
