import { MOST_HIDDEN, ORDINARY } from '../../people/brake.ts'
import { countedTag } from '../../people/index-tags.ts'
import {
  type Answers,
  countedTimes,
  domainIdOf,
  type LetterCounts,
  RECENT_LETTERS,
  type Released,
} from '../../people/letter-counts.ts'
import { hasHiddenField } from '../../people/place-in-line.ts'
import type { ConfirmationRequest } from '../../people/requests.ts'
import { brakes } from '../../shared/held-letters.ts'
import { reader, storedTime } from '../../shared/stored-json.ts'
import type { Keyed } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import { noteIn } from './notes.ts'

type Counted = Pick<ConfirmationRequest, 'email' | 'network' | 'suspicion'>

/** Counts letters by the places of those who had one. */
export function letterCounts(
  { sql, ids }: Keyed,
  { email, network, suspicion }: Counted,
  now: Date,
): LetterCounts {
  const { from, settled } = countedTimes(now)
  const [since, until] = [from.toISOString(), settled.toISOString()]
  const number = sql(
    'SELECT count(*) AS n FROM (SELECT 1 FROM places WHERE tag = ? AND at > ? LIMIT ?)',
  )
  // More than decide are not counted: a flood has many, and each of its letters looks at them.
  const numberOf = (tag: string, after: string, most = -1) =>
    Number(number.get(tag, after, most)?.n)
  const answersOf = (what: 'network' | 'domain', id: string | undefined): Answers | undefined => {
    if (id === undefined) return undefined
    const answered = numberOf(countedTag(what, true, id), since)
    const unanswered = numberOf(countedTag(what, false, id), since, answered + ORDINARY)
    return { answered, unanswered }
  }
  const released = releasedIn(sql)
  const hiddenSince = released['hidden-field']?.toISOString() ?? ''
  return {
    network: answersOf('network', network),
    domain: answersOf('domain', domainIdOf(email, ids)),
    recent: recentIn(sql, since, until),
    hidden: hasHiddenField(suspicion)
      ? numberOf(countedTag('hidden', false), hiddenSince, MOST_HIDDEN)
      : 0,
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

export const RELEASED = 'released'

const releasedFrom = reader<Released>(
  {},
  Object.fromEntries(brakes.map((brake) => [brake, storedTime])),
)

/** Letters that were asked for by then wait for that no more: the operator released them. */
export const releasedIn = (sql: Sql): Released => releasedFrom(noteIn(sql, RELEASED)) ?? {}
