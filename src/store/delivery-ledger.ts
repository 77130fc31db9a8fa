import { standings } from '../people/standing.ts'
import { askedBy } from '../shared/asked-by-letter.ts'
import type { ListedSubscriber } from './subscriber-list.ts'

/**
 * The deliveries of announcements: one row for each recipient of each announcement, by the number that
 * somebody gets when they come on the list.
 * A method that takes an `owner` throws `LockLost`, and changes nothing, unless that owner holds the
 * run lock at that moment; only `record` does not ask, since it notes what has happened.
 */
export interface DeliveryLedger {
  /** Newest first. @throws StoreUnavailable */
  announcements(): Promise<Announcement[]>

  /** @throws StoreUnavailable */
  findAnnouncement(id: string): Promise<Announcement | undefined>

  /**
   * Begins an announcement for all who are on the list; if it has begun already, only notes the letter
   * as it is now.
   *
   * @param includesNew moves the cut-off of one whose recipients all have their row, so that people
   *   who came since can be enlisted. @throws StoreUnavailable
   */
  begin(
    owner: string,
    id: string,
    letter: LetterRecord,
    includesNew?: boolean,
  ): Promise<Announcement>

  /**
   * Everybody on the list in the order in which they came, in pages. Those who come meanwhile may be
   * given, and those who are forgotten may not. @throws StoreUnavailable
   */
  everybody(range?: NumberRange): AsyncIterable<readonly Recipient[]>

  /**
   * Gives a row to each of these people without one, except those forgotten since the list was read: a
   * `queued` row, or a `suppressed` one if they are left out. Those who were left out for the reason
   * that is given with them are decided again: they are queued, or left out for another.
   *
   * @param people a few hundred at most, none from after the cut-off.
   * @returns how many rows are new. @throws StoreUnavailable
   */
  enlist(owner: string, id: string, people: readonly Enlisted[]): Promise<number>

  /**
   * Counts the eligible and keeps that number with the announcement: the people up to the cut-off,
   * with or without a row, and the rows of those who were forgotten since.
   *
   * @throws StoreUnavailable
   */
  countEligible(owner: string, id: string): Promise<Announcement>

  /**
   * Takes rows from the queue, in their turn: they are `sending`, on disk, before this
   * resolves, with one more try. Recipients who may not be mailed become `suppressed` instead and
   * are not given, so there may be fewer than wanted. None given means that none is due now.
   *
   * @param ended is noted in the same transaction, as by `record`; by itself if the lock is lost.
   *   So the caller knows of every row that is `sending`.
   * @throws StoreUnavailable
   */
  claim(
    owner: string,
    id: string,
    wanted: ClaimWanted,
    ended?: readonly DeliveryResult[],
  ): Promise<ClaimedDelivery[]>

  /**
   * Notes how sending ended. A row that this owner did not claim last, or that was forgotten
   * meanwhile, stays as it is; one that was declared `uncertain` meanwhile gets its true end.
   *
   * @throws StoreUnavailable
   */
  record(owner: string, id: string, results: readonly DeliveryResult[]): Promise<void>

  /** When the next row that was tried before is due, if any is queued. @throws StoreUnavailable */
  nextRetry(id: string): Promise<Date | undefined>

  /**
   * Makes rows that an earlier owner left `sending` `uncertain`. @returns how many.
   * @throws StoreUnavailable
   */
  settle(owner: string, id: string): Promise<number>

  /**
   * Puts all rows of a status back in the queue, due now and as tried before, even those that were
   * restored from a copy and had no try here. @returns how many. @throws StoreUnavailable
   */
  requeue(owner: string, id: string, status: 'failed' | 'uncertain'): Promise<number>

  /**
   * What became of the last letters of an announcement.
   *
   * @param most how many of the last are looked at. @param since letters from before do not count.
   * @throws StoreUnavailable
   */
  lately(id: string, most: LatelyOf, since?: Date): Promise<Lately>

  /**
   * The recipients of all announcements since a time, sent or uncertain; without the address if it
   * was forgotten. @throws StoreUnavailable
   */
  toldSince(time: Date): AsyncIterable<Told>

  /** How many rows there are of each status, as it was kept with each change. @throws StoreUnavailable */
  tally(id: string): Promise<Tally>

  /** The same, counted from the rows: the proof of it. @throws StoreUnavailable */
  counted(id: string): Promise<Tally>

  /** How many `suppressed` rows there are, by the reason. @throws StoreUnavailable */
  suppressedAs(id: string): Promise<SuppressionCounts>

  /** The rows in a stable order of the store's own, in constant memory. @throws StoreUnavailable */
  deliveries(id: string, status?: DeliveryStatus): AsyncIterable<Delivery>

  /** The deliveries to an address, newest first. @throws StoreUnavailable */
  deliveriesTo(email: string): Promise<Delivery[]>
}

/**
 * The question to subscribers from before confirmation was asked for. It is counted and sent like
 * an announcement, but tells no news: so nobody is left out of an announcement because of it.
 */
export const ASK = 'ask'

/** Whether those who got it know the news: a question is no reason to leave them out of a letter. */
export function tellsNews(announcement: string): boolean {
  return announcement !== ASK && askedBy(announcement) === undefined
}

/** Why a subscriber who may be mailed is left out of an announcement. */
export const leftOutReasons = [
  /** Their mailbox gets enough letters of it already. */
  'mailbox',
  /** They got another announcement. */
  'told',
  /** They need not be asked. */
  'confirmed',
  /** They did not give the answer that it is for. */
  'answer',
  /** They have answered what it asks. */
  'answered',
  /** They are users of the product already. */
  'came',
  /** They have heard something lately, or answered, and need not be asked. */
  'heard',
  /** No letter can be sent to their address, such as to an IP literal. */
  'unmailable',
] as const

/** Of those left out, a later run may find that the reason is over. */
export const broughtBack = ['quarantined', 'mailbox', 'answer'] as const

export type BroughtBack = (typeof broughtBack)[number]

export type LeftOut = (typeof leftOutReasons)[number]

/** Why a row is `suppressed`: the standing of the address then, or the reason why it was left out. */
export const suppressionReasons = [...standings, ...leftOutReasons] as const

export type SuppressionReason = (typeof suppressionReasons)[number]

export type SuppressionCounts = Readonly<Record<SuppressionReason, number>>

export function noSuppressions(): Record<SuppressionReason, number> {
  return Object.fromEntries(suppressionReasons.map((reason) => [reason, 0])) as Record<
    SuppressionReason,
    number
  >
}

/** Those who came on the list after a number, and up to one. */
export interface NumberRange {
  readonly after?: number
  readonly upTo?: number | undefined
}

/** Somebody on the list, with their rows. */
export interface Recipient extends ListedSubscriber {
  /** It grows as people come on the list, and stays theirs when they leave and come back. */
  readonly number: number
  /** When they signed up at the page, if they did. */
  readonly signedUpAt?: Date | undefined
  readonly letters: readonly LetterTo[]
}

export interface LetterTo extends Pick<Delivery, 'announcement' | 'status' | 'tries' | 'standing'> {
  /** ISO text. */
  readonly changedAt: string
}

export interface Enlisted {
  readonly number: number
  /** Lower ones go before others, and those of one turn as they came on the list; by default 0. */
  readonly turn?: number | undefined
  /** Why they are left out; without a reason they are queued. */
  readonly leftOut?: LeftOut | 'quarantined' | undefined
  readonly wasLeftOutAs?: 'told' | BroughtBack | undefined
}

export const deliveryStatuses = [
  'queued',
  'sending',
  'sent',
  'failed',
  'uncertain',
  'suppressed',
  'forgotten',
] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Those of whom the news is, or may be, known. */
const toldStatuses: readonly DeliveryStatus[] = ['sent', 'uncertain', 'sending']

export const wasSent = ({ status }: Pick<Delivery, 'status'>): boolean =>
  toldStatuses.includes(status)

/** Those of letters that were tried to the end, whether well or not. */
export const endedStatuses = ['sent', 'failed', 'uncertain'] as const

export interface LetterRecord {
  readonly subject: string
  /** Changes with everything that a recipient would see. */
  readonly digest: string
}

export interface Announcement extends LetterRecord {
  /** Lower-case letters, digits and hyphens; at most 60. */
  readonly id: string
  readonly begunAt: Date
  /** The cut-off: those who came on the list after who has this number are new to it. */
  readonly upTo: number
  /** `undefined` until `countEligible`, and again after the cut-off was moved. */
  readonly eligible: number | undefined
}

export type LatelyOf = Readonly<Record<'tried' | 'told', number>>

/**
 * Of the last letters. Those who came back still count as having left, and those who were erased since
 * as both, since otherwise they would hide others.
 */
export interface Lately extends LatelyOf {
  /** Of those tried: refused for good, or bounced since. */
  readonly failed: number
  /** Of those told: unsubscribed or complained since. */
  readonly left: number
}

export interface Told {
  readonly email: string | undefined
  readonly at: Date
}

export interface Delivery {
  readonly announcement: string
  /** `undefined` once forgotten. */
  readonly email: string | undefined
  readonly status: DeliveryStatus
  readonly tries: number
  /** When the row took this status. */
  readonly changedAt: Date
  /** What the mail server last said, without any address. */
  readonly answer: string | undefined
  /** Why the row is `suppressed`. */
  readonly standing?: SuppressionReason | undefined
  /** That of the letter of the last try, where the announcement has several. */
  readonly language?: string | undefined
}

/** Untried rows go as they were enlisted, others when their back-off ends. */
export interface ClaimWanted {
  readonly limit: number
  readonly which: 'untried' | 'tried'
}

export interface ClaimedDelivery {
  readonly number: number
  readonly addressId: string
  readonly email: string
  /** This one included. */
  readonly tries: number
  /** Their own, as far as it is known. */
  readonly language?: string | undefined
  readonly firstName?: string | undefined
}

export type DeliveryResult = {
  readonly number: number
  /** As claimed: the end of an earlier try does not count for a later one. */
  readonly tries: number
  /** That of the letter, where the announcement has several. */
  readonly language?: string | undefined
  /** When it left, where the store's clock is behind; never earlier than by that clock. */
  readonly at?: Date | undefined
} & (
  | { readonly status: 'sent' | 'failed' | 'uncertain'; readonly answer: string }
  /** Surely not sent: tried again, not before `dueAt`. */
  | { readonly status: 'queued'; readonly answer: string; readonly dueAt: Date }
  /** Never begun: queued again, as if it had not been claimed. */
  | { readonly status: 'returned' }
  /** Never begun, and never will be. */
  | { readonly status: 'suppressed'; readonly standing: SuppressionReason }
)

export type Tally = Readonly<Record<DeliveryStatus, number>> & {
  /** Those of the `queued` that were never tried. */
  readonly untried: number
}

/** The part of the ledger that only reads its rows. */
export type DeliveryReading = Pick<
  DeliveryLedger,
  | 'everybody'
  | 'toldSince'
  | 'lately'
  | 'tally'
  | 'counted'
  | 'suppressedAs'
  | 'deliveries'
  | 'deliveriesTo'
>
