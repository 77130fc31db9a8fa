import { type Standing, standings } from '../../people/standing.ts'
import { type Ask, isReply } from '../../shared/reply.ts'
import { sourceName } from '../../shared/source.ts'
import { type PeopleWanted, partOf } from '../../store/people.ts'
import type { PeopleFilter } from '../contract/people.ts'
import type { Fields } from './fields.ts'

/** No list shows forgotten people. */
export const filterStandings = standings.filter((standing) => standing !== 'forgotten')

const LONGEST = 400

/** Reads a form or the query of a page; invalid values are left out. */
export function filterIn(fields: Fields): PeopleFilter {
  const text = (name: string) => fields(name).slice(0, LONGEST).trim()
  return {
    text: text('text'),
    standing: filterStandings.find((standing) => standing === text('standing')) ?? '',
    source: sourceName(text('source')) ?? '',
    answer: text('answer'),
    since: dayIn(text('since')) ? text('since') : '',
    until: dayIn(text('until')) ? text('until') : '',
  }
}

/**
 * The store's query for a filter. Days begin at midnight of the server's zone.
 *
 * @param kind of what the page asks.
 */
export function wantedBy(
  { text, standing, source, answer, since, until }: PeopleFilter,
  kind: Ask['kind'] | undefined,
): Omit<PeopleWanted, 'limit'> {
  const [part, from, to] = [partOf(text), dayIn(since), dayIn(until)]
  // Until the end of that day, which may have 23 or 25 hours.
  to?.setDate(to.getDate() + 1)
  return {
    ...(part !== undefined && { part }),
    ...(standing !== '' && { standing: standing as Standing }),
    ...(source !== '' && { source }),
    ...(answer !== '' && { isReply: (said) => isReply(said, answer, kind) }),
    ...(from && { since: from }),
    ...(to && { until: to }),
  }
}

function dayIn(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = new Date(`${text}T00:00`)
  return Number.isNaN(day.getTime()) ? undefined : day
}

/** The query of a filter without what proxies may not log: its text, and what somebody answered. */
export function queryOf(filter: PeopleFilter, more: Readonly<Record<string, string>> = {}): string {
  const { text: _, answer: __, ...others } = filter
  const given = Object.entries({ ...others, ...more }).filter(([, value]) => value !== '')
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}
