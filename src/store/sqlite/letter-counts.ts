import type { AddressIds } from '../../keys/address-id.ts'
import {
  type Answers,
  countedTimes,
  domainIdOf,
  type LetterCounts,
  RECENT_LETTERS,
  type Released,
} from '../../people/letter-counts.ts'
import { countedTag } from '../../people/places.ts'
import type { ConfirmationRequest } from '../../people/requests.ts'
import { hasHiddenField } from '../../people/signs.ts'
import type { Sql } from './connection.ts'

type Counted = Pick<ConfirmationRequest, 'email' | 'network' | 'suspicion'>

/** Counts letters by the places of those who had one. */
export function letterCounts(
  sql: Sql,
  addressIds: AddressIds,
  { email, network, suspicion }: Counted,
  now: Date,
): LetterCounts {
  const { from, settled } = countedTimes(now)
  const [since, until] = [from.toISOString(), settled.toISOString()]
  const numberOf = (tag: string, after: string) =>
    Number(sql('SELECT count(*) AS n FROM places WHERE tag = ? AND at > ?').get(tag, after)?.n)
  const answersOf = (what: 'network' | 'domain', id: string | undefined): Answers | undefined =>
    id === undefined
      ? undefined
      : {
          answered: numberOf(countedTag(what, true, id), since),
          unanswered: numberOf(countedTag(what, false, id), since),
        }
  const released = releasedIn(sql)
  const hiddenSince = released['hidden-field']?.toISOString() ?? ''
  return {
    network: answersOf('network', network),
    domain: answersOf('domain', domainIdOf(email, addressIds)),
    recent: recentIn(sql, since, until),
    hidden: hasHiddenField(suspicion) ? numberOf(countedTag('hidden', false), hiddenSince) : 0,
    released,
  }
}

function recentIn(sql: Sql, since: string, until: string): Answers | undefined {
  const last = `SELECT tag, at FROM (
    SELECT tag, at FROM places WHERE tag = ? AND at > ? AND at <= ?
    ORDER BY at DESC LIMIT ${RECENT_LETTERS})`
  const [open, answered] = [countedTag('letters', false), countedTag('letters', true)]
  const row = sql(`
    SELECT count(*) AS number, total(tag = ?) AS answered FROM (
      ${last} UNION ALL ${last} ORDER BY at DESC LIMIT ${RECENT_LETTERS})`).get(
    ...[answered, open, since, until, answered, since, until],
  )
  if (row?.number !== RECENT_LETTERS) return undefined
  return { answered: Number(row.answered), unanswered: RECENT_LETTERS - Number(row.answered) }
}

function releasedIn(sql: Sql): Released {
  const rows = sql('SELECT waitsFor, until FROM released').all()
  return Object.fromEntries(rows.map(({ waitsFor, until }) => [waitsFor, new Date(String(until))]))
}
