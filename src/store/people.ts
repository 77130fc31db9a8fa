import { EMAIL_MAX_LENGTH, parseEmail } from '../shared/email.ts'
import { plainLine } from '../shared/plain-line.ts'
import type { Source } from '../shared/source.ts'
import type { Subscriber } from '../shared/subscriber.ts'
import type { Standing } from './standing.ts'
import type { TimeRange } from './subscriber-list.ts'

/**
 * The list as somebody looks through it: a page at a time, newest first, by any part of an address.
 * A store may keep the addresses in memory for that, so it is for a process that ends when nobody
 * looks any more.
 */
export interface People {
  /** A page of those on the list. @throws StoreUnavailable; the reason of `signal` when that ends it. */
  page(wanted: PeopleWanted): Promise<PeoplePage>

  /**
   * The address that an id is of, if it is on the list, was asked or was told something. The first
   * question about somebody who came long ago may take as long as reading all addresses.
   *
   * @throws StoreUnavailable
   */
  addressOf(addressId: string): Promise<string | undefined>
}

export interface PeopleWanted extends TimeRange {
  /** Some part of the address, as `partOf` gives it. */
  readonly part?: string | undefined
  readonly standing?: Standing | undefined
  /** The name of the source that they came from first. */
  readonly source?: string | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  /** At most so many. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

export interface PeoplePage {
  readonly people: readonly PersonListed[]
  /** Where the next page begins; left out on the last one. It names nobody. */
  readonly next?: string
  /** How many there are on this page and those after it. */
  readonly found: number
  /** Whether there are more than that, as counting them would take too long. */
  readonly isMore: boolean
}

/** A subscriber with what a row of a list shows. */
export interface PersonListed extends Subscriber {
  readonly addressId: string
  readonly standing: Standing
  readonly standingAt?: Date | undefined
  readonly detail?: string | undefined
  readonly source?: Source | undefined
}

/** Who was found is counted up to here. */
export const MOST_COUNTED = 1000

/**
 * What somebody typed or pasted, as it would stand in an address: in lower case, without what is
 * around an address in a mail, and with a domain of other letters as it is kept.
 *
 * @returns `undefined` for nothing.
 */
export function partOf(input: string | undefined): string | undefined {
  const line = plainLine(input ?? '', EMAIL_MAX_LENGTH + 100)
  const bare = /<([^<>]*)>$/.exec(line)?.[1] ?? line.replace(/^mailto:/i, '')
  const text = bare.trim().toLowerCase().slice(0, EMAIL_MAX_LENGTH)
  return text === '' ? undefined : (asKept(text) ?? text)
}

/** A whole address, or a whole domain with its `@` or without. */
function asKept(text: string): string | undefined {
  // Domains that are ASCII are kept as they are written.
  if (/^[\0-\x7f]*$/.test(text.slice(text.lastIndexOf('@') + 1))) return undefined
  const at = text.lastIndexOf('@')
  if (at > 0) return parseEmail(text)
  return parseEmail(`a@${text.slice(at + 1)}`)?.slice(at === 0 ? 1 : 2)
}
