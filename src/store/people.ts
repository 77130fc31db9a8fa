import type { Standing } from '../people/standing.ts'
import { EMAIL_MAX_LENGTH, parseEmail } from '../shared/email.ts'
import { plainLine } from '../shared/plain-line.ts'
import type { ListedSubscriber, Origin, TimeRange } from './subscriber-list.ts'

export interface PeopleWanted extends TimeRange {
  /** Some part of the address, as `partOf` gives it. */
  readonly part?: string | undefined
  readonly standing?: Standing | undefined
  /** The name of their first source. */
  readonly source?: string | undefined
  /** Whether what somebody answered is what is looked for; who has not answered is not. */
  readonly isReply?: ((answer: string) => boolean) | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  /** The most people on the page. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

export interface PeoplePage {
  readonly people: readonly PersonListed[]
  /** Where the next page begins; left out on the last one. It holds no address. */
  readonly next?: string
  /** How many there are on this page and the later ones. */
  readonly found: number
  /** Whether there are more, if counting them would take too long. */
  readonly isMore: boolean
}

/** A subscriber with what a row of a list shows. */
export interface PersonListed extends Omit<ListedSubscriber, 'extra'>, Origin {
  readonly addressId: string
}

/** Results are counted up to this number. */
export const MOST_COUNTED = 1000

/**
 * A typed or pasted text as a part of an address: in lower case, without the text around an address
 * in an e-mail, and with an international domain as it is stored.
 *
 * @returns `undefined` for an empty text.
 */
export function partOf(input: string | undefined): string | undefined {
  const line = plainLine(input ?? '', EMAIL_MAX_LENGTH + 100)
  const bare = /<([^<>]*)>$/.exec(line)?.[1] ?? line.replace(/^mailto:/i, '')
  const text = bare.trim().toLowerCase().normalize().slice(0, EMAIL_MAX_LENGTH)
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
