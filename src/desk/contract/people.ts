import { say } from '../../shared/say.ts'

/** The pages of people on the desk. Times are in milliseconds since 1970. */

/** What is looked for, as it stands in the form. */
export interface PeopleFilter {
  /** Some part of an address: never in a path, which proxies log. */
  readonly text: string
  readonly standing: string
  readonly source: string
  /** What they answered: of a postcode its beginning. Never in a path either: it is a stranger's text. */
  readonly answer: string
  /** Days, such as `2026-11-22`, the second included. */
  readonly since: string
  readonly until: string
}

export interface PersonRow {
  /** Identifies the person in the path of their page, and reveals nothing of the address. */
  readonly id: string
  readonly email: string
  readonly subscribedAt: number
  readonly standing: string
  /** Why they are quarantined. */
  readonly signs: readonly string[]
  readonly source: string | null
  /** Whether they came by an import, and never signed up at the page. */
  readonly isImported: boolean
}

/** What a search gives: what changes on the page while somebody types. */
export interface PeopleFound {
  readonly people: readonly PersonRow[]
  readonly found: number
  /** Whether there are more than that. */
  readonly isMore: boolean
  /** Leads to the next page. */
  readonly next: string | null
  /** Somebody with exactly this address who is not among them, but known. */
  readonly beside: Beside | null
}

export interface Beside {
  readonly id: string
  readonly email: string
  readonly isListed: boolean
  /** How they stand, in a sentence. */
  readonly how: string
}

export interface PeoplePage extends PeopleFound {
  readonly page: 'people'
  readonly filter: PeopleFilter
  /** Whether it is a later page than the first. */
  readonly isLater: boolean
  readonly standings: readonly string[]
  /** The answers to choose from, if it has some. */
  readonly choices?: readonly string[]
}

/** The result of an action, in words. */
export interface DoneNote {
  readonly isDone: boolean
  readonly title: string
  readonly text: string
}

/** What stands where no source of a sign-up is kept: with signs of a robot it never is. */
export function sourceless(one: {
  readonly standing: string
  readonly isImported?: boolean | undefined
}): string {
  if (one.isImported) return say('imported')
  return one.standing === 'quarantined' ? say('not kept') : say('direct')
}
