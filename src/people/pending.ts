import { isAddressId } from '../keys/address-id.ts'
import { isNetworkId } from '../keys/network-id.ts'
import { type Source, sourceFrom } from '../shared/source.ts'
import { isCount, objectIn } from '../shared/stored-json.ts'
import { storedTime } from '../shared/stored-time.ts'
import { type Extra, parseExtra } from './extra.ts'

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

/** A visitor who asked to be told, and has yet to confirm it or did so lately. */
export interface Pending {
  /** As `parseEmail` returns it. */
  readonly email: string
  readonly askedAt: Date
  /**
   * The sign-up of a subscriber whom the command `ask` asks: they were on the list before, and stay
   * there without an answer.
   */
  readonly listedAt?: Date | undefined
  readonly shown: Shown
  /** Names of the signs of a robot that were seen, unless a later sign-up had none. */
  readonly suspicion?: string | undefined
  /** Those of their first request. */
  readonly source?: Source | undefined
  readonly fields?: Extra | undefined
  /** The address id of who brought them, in the first request that came by a link. */
  readonly broughtBy?: string | undefined
  /** Whether others came by another link, or with signs of a robot: nobody knows whose friend it is. */
  readonly isContested?: true | undefined
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
  readonly listedAt?: string
  readonly messageId: string
  readonly letterDigest: string
  readonly confirmedAt: string
  readonly how: 'button' | 'code'
  readonly confirmedFrom?: string
}

const times = [
  'askedAt',
  'listedAt',
  'lastLetterAt',
  'reservedAt',
  'refusedAt',
  'yesAt',
  'noAt',
  'confirmedAt',
] as const
const texts = ['messageId', 'letterDigest', 'failure', 'suspicion', 'confirmedFrom'] as const
const counts = ['letters', 'wrongCodes'] as const
const LONGEST_TEXT = 1000
/** More than the letters that one mailbox can get while a request is valid. */
const MOST_NETWORKS = 30

/** Reads what a list or a copy has, which anybody may have made. */
export function pendingFrom(json: unknown): PendingData | undefined {
  const row = objectIn(json)
  const shown = shownFrom(row?.shown) ?? (row?.noAt ? nothingShown : undefined)
  if (!row || !shown) return undefined
  const fields: Record<string, unknown> = { shown, letters: 0 }
  for (const name of times) if (isTime(row[name])) fields[name] = new Date(row[name])
  for (const name of texts) if (isText(row[name])) fields[name] = row[name]
  for (const name of counts) if (isCount(row[name])) fields[name] = row[name]
  if (isHow(row.how)) fields.how = row.how
  if (Array.isArray(row.networks))
    fields.networks = row.networks.filter(isNetworkId).slice(-MOST_NETWORKS)
  if (typeof row.broughtBy === 'string' && isAddressId(row.broughtBy))
    fields.broughtBy = row.broughtBy
  if (row.isContested === true) fields.isContested = true
  // A no counts even if the rest of its row cannot be read.
  if (row.noAt) {
    fields.noAt ??= fields.askedAt
    fields.askedAt ??= fields.noAt
  }
  const source = sourceFrom(row.source)
  if (source) fields.source = source
  const said = parseExtra(row.fields)
  if (said) fields.fields = said
  return fields.askedAt ? (fields as unknown as PendingData) : undefined
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

export function shownFrom(json: unknown): Shown | undefined {
  const { words, page, language, isForNews, askedFrom } = objectIn(json) ?? {}
  if (!isText(words) || !isText(page) || !isText(language)) return undefined
  return {
    words,
    page,
    language,
    ...(isForNews === true && { isForNews }),
    ...(isText(askedFrom) && { askedFrom }),
  }
}

/** The receipt among the other data of an address. */
export function consentIn(extra: Readonly<Record<string, unknown>> | undefined) {
  const row = objectIn(extra?.consent)
  const shown = shownFrom(row)
  const { askedAt, listedAt, messageId, letterDigest, confirmedAt, how, confirmedFrom } = row ?? {}
  const isWhole = isTime(askedAt) && isTime(confirmedAt) && isText(messageId) && isHow(how)
  if (!shown || !isWhole || !isText(letterDigest)) return undefined
  return {
    ...shown,
    askedAt,
    messageId,
    letterDigest,
    confirmedAt,
    how,
    ...(isTime(listedAt) && { listedAt }),
    ...(isText(confirmedFrom) && { confirmedFrom }),
  } satisfies Consent
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT && !/\p{Cc}/u.test(value)
}

function isTime(value: unknown): value is string {
  return storedTime(value) !== undefined
}

function isHow(value: unknown): value is 'button' | 'code' {
  return value === 'button' || value === 'code'
}
