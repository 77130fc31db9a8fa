import { isAddressId } from '../keys/address-id.ts'
import { type Source, sourceFrom } from '../shared/source.ts'
import {
  asCount,
  asTrue,
  isText,
  objectIn,
  oneOf,
  only,
  type Read,
  reader,
  storedTime,
} from '../shared/stored-json.ts'
import { type Extra, parseExtra } from './extra-fields.ts'

/** What the visitor saw when they left an address. */
export interface Shown {
  /** The words of the form. */
  readonly words: string
  /** Identifies the build of our page; of a form on another site, it is that site's origin. */
  readonly page: string
  /** As BCP 47 has it, such as `en`. */
  readonly language: string
  /** Whether the page was open, so that the address was left for news and not for the opening. */
  readonly isForNews?: true | undefined
  /** The client address of the visitor, if `CONSENT_IP=on` keeps it. */
  readonly askedFrom?: string | undefined
}

/** What is noted of a visitor who asks to be told. */
export interface Said {
  readonly shown: Shown
  /** Names of the signs of a robot, such as `hidden-field, too-quick`, unless a later sign-up had none. */
  readonly suspicion?: string | undefined
  readonly source?: Source | undefined
  /** What they said beside the address, as `fieldsIn` reads it. */
  readonly fields?: Extra | undefined
  /** The address id of who referred them, in the first request that came by a personal link. */
  readonly referredBy?: string | undefined
  /** Whether others came by another link, or with signs of a robot: nobody knows whose friend it is. */
  readonly isContested?: true | undefined
}

/** A visitor who asked to be told, and has yet to confirm it or did so lately. */
export interface Pending extends Said {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly askedAt: Date
  /** How many letters were given to the mail server, or may have been. */
  readonly letters: number
  readonly lastLetterAt?: Date | undefined
  /** When the letter left that is reserved each day for an address without a tag. */
  readonly reservedAt?: Date | undefined
  /** When the mail server last refused a letter permanently. */
  readonly refusedAt?: Date | undefined
  /** Keyed hashes of the networks that asked for letters; the latest is the last. */
  readonly networks?: readonly string[] | undefined
  /** The id of the last letter, with its angle brackets. */
  readonly messageId?: string | undefined
  readonly letterDigest?: string | undefined
  /** Why the last letter did not leave, without any address. */
  readonly failure?: string | undefined
  /** When each button behind the link was pressed. */
  readonly yesAt?: Date | undefined
  readonly noAt?: Date | undefined
  readonly wrongCodes?: number | undefined
  readonly confirmedAt?: Date | undefined
  readonly how?: 'button' | 'code' | undefined
  /** The client address of the confirmation, if `CONSENT_IP=on` keeps it. */
  readonly confirmedFrom?: string | undefined
}

/** The same beside the address of its person. */
export type PendingData = Omit<Pending, 'email'>

/**
 * The proof that a visitor wanted to be told. Times are ISO texts, since it is stored in an
 * `Extra`.
 */
export interface Consent extends Shown {
  readonly askedAt: string
  readonly messageId: string
  readonly letterDigest: string
  readonly confirmedAt: string
  readonly how: 'button' | 'code'
  readonly confirmedFrom?: string
}

const LONGEST_TEXT = 1000
/** More than the letters that one mailbox can get while a request is valid. */
const MOST_NETWORKS = 30

const asLine: Read<string> = (stored) =>
  isText(stored) && stored.length <= LONGEST_TEXT && !/\p{Cc}/u.test(stored) ? stored : undefined
/** A time that stays a text. */
const asTimeText: Read<string> = (stored) => (storedTime(stored) ? String(stored) : undefined)
const asHow = oneOf(['button', 'code'] as const)
const shownFields = { words: asLine, page: asLine, language: asLine }
const moreShown = { isForNews: asTrue, askedFrom: asLine }

export const shownFrom = reader<Shown>(shownFields, moreShown)

const pendingFields = reader<Partial<PendingData>>(
  {},
  {
    ...{ askedAt: storedTime, lastLetterAt: storedTime },
    ...{ reservedAt: storedTime, refusedAt: storedTime },
    ...{ yesAt: storedTime, noAt: storedTime, confirmedAt: storedTime },
    ...{ messageId: asLine, letterDigest: asLine, failure: asLine, suspicion: asLine },
    ...{ confirmedFrom: asLine, letters: asCount, wrongCodes: asCount, how: asHow },
    networks: (stored) =>
      Array.isArray(stored) ? stored.filter(isAddressId).slice(-MOST_NETWORKS) : undefined,
    ...{ referredBy: only(isAddressId), isContested: asTrue, shown: shownFrom },
    ...{ source: sourceFrom, fields: (stored) => parseExtra(stored) },
  },
)

/** Reads what a list or a copy has, which anybody may have made. */
export function pendingFrom(stored: unknown): PendingData | undefined {
  const isNo = Boolean(objectIn(stored)?.noAt)
  const known = pendingFields(stored)
  const {
    shown = isNo ? nothingShown : undefined,
    noAt,
    askedAt = isNo ? noAt : undefined,
  } = known ?? {}
  if (!shown || !askedAt) return undefined
  // A no counts even if the rest of its row cannot be read.
  return { letters: 0, ...known, shown, askedAt, ...(isNo && { noAt: noAt ?? askedAt }) }
}

/** Adds the network that asked for a letter, if it is known. */
export function withNetwork<T extends PendingData>(pending: T, network: string | undefined): T {
  if (network === undefined) return pending
  const others = pending.networks?.filter((one) => one !== network) ?? []
  return { ...pending, networks: [...others, network].slice(-MOST_NETWORKS) }
}

/**
 * Whether a reader said that it was not them, and nothing else. A program presses both buttons, so
 * that counts as no answer.
 */
export const saidNotMe = ({ noAt, yesAt }: PendingData): boolean =>
  noAt !== undefined && yesAt === undefined

/** For rows that do not say what the visitor saw. */
export const nothingShown: Shown = { words: '', page: '', language: '' }

const receiptIn = reader<Consent>(
  {
    ...{ ...shownFields, askedAt: asTimeText, confirmedAt: asTimeText },
    ...{ messageId: asLine, letterDigest: asLine, how: asHow },
  },
  { ...moreShown, confirmedFrom: asLine },
)

/** The receipt among the other data of an address. */
export const consentIn = (extra: Extra | undefined): Consent | undefined =>
  receiptIn(extra?.consent)
