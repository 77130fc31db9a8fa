import type { AddressIds } from '../../keys/address-id.ts'
import type { Pending } from '../../people/pending.ts'
import {
  type Answers,
  countedTimes,
  domainIdOf,
  hasHiddenField,
  type LetterCounts,
  letterAtOf,
  RECENT_LETTERS,
  type Released,
} from '../brake.ts'
import type { ConfirmationRequest } from '../outbox.ts'
import type { Sql } from './connection.ts'

/** Counts letters by the rows of the addresses that had one. */
export function letterCounts(addressIds: AddressIds) {
  return {
    /** The columns by which a row is counted: network, domain, hidden field, time, answer. */
    columns(pending: Pending): [...(string | null)[], number] {
      const letterAt = letterAtOf(pending)?.toISOString() ?? null
      const isHidden = letterAt && hasHiddenField(pending.suspicion)
      return [
        pending.networks?.at(-1) ?? null,
        letterAt && (domainIdOf(pending.email, addressIds) ?? null),
        isHidden ? pending.askedAt.toISOString() : null,
        letterAt,
        Number(pending.confirmedAt !== undefined),
      ]
    },

    of(sql: Sql, { email, network, suspicion }: ConfirmationRequest, now: Date): LetterCounts {
      const { from, settled } = countedTimes(now)
      const [since, until] = [from.toISOString(), settled.toISOString()]
      const answersOf = (column: 'network' | 'domain', id: string | undefined) =>
        id === undefined
          ? undefined
          : answersIn(
              sql(`
                SELECT count(*) AS number, total(isAnswered) AS answered
                FROM pending WHERE ${column} = ? AND letterAt > ?`).get(id, since),
            )
      const recent = sql(`
        SELECT count(*) AS number, total(isAnswered) AS answered FROM (
          SELECT isAnswered FROM pending WHERE letterAt > ? AND letterAt <= ?
          ORDER BY letterAt DESC LIMIT ${RECENT_LETTERS})`).get(since, until)
      const released = releasedIn(sql)
      const hiddenSince = released['hidden-field']?.toISOString() ?? ''
      const hidden = hasHiddenField(suspicion)
        ? sql(`
            SELECT count(*) AS number FROM pending
            WHERE hiddenAskedAt > ? AND NOT isAnswered`).get(hiddenSince)?.number
        : 0
      return {
        network: answersOf('network', network),
        domain: answersOf('domain', domainIdOf(email, addressIds)),
        recent: recent?.number === RECENT_LETTERS ? answersIn(recent) : undefined,
        hidden: Number(hidden),
        released,
      }
    },
  }
}

function answersIn(row: Readonly<Record<string, unknown>> | undefined): Answers {
  const [number, answered] = [Number(row?.number), Number(row?.answered)]
  return { answered, unanswered: number - answered }
}

function releasedIn(sql: Sql): Released {
  const rows = sql('SELECT waitsFor, until FROM released').all()
  return Object.fromEntries(rows.map(({ waitsFor, until }) => [waitsFor, new Date(String(until))]))
}
