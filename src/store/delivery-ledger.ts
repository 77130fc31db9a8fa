import { standings } from '../people/standing.ts'
import { askedBy } from '../shared/asked-by-letter.ts'
import type { Subscriber } from '../shared/subscriber.ts'

/**
 * The deliveries of announcements: one row for each recipient of each announcement.
 * A method that takes an `owner` throws `LockLost`, and changes nothing, unless that owner holds the
 * run lock at that moment; only `record` does not ask, since it notes what has happened.
 */
export interface DeliveryLedger {
  /** Newest first. @throws StoreUnavailable */
  announcements(): Promise<Announcement[]>

  /** @throws StoreUnavailable */
  findAnnouncement(id: string): Promise<Announcement | undefined>

  /**
   * Begins an announcement for all who signed up before now, by the store's own clock; if it has
   * begun already, only notes the letter as it is now. @throws StoreUnavailable
   */
  begin(owner: string, id: string, letter: LetterRecord): Promise<Announcement>

  /** Moves the cut-off to now, so that later sign-ups can be enlisted. @throws StoreUnavailable */
  moveCutOff(owner: string, id: string): Promise<Announcement>

  /**
   * Gives a row to each of these subscribers without one, except those forgotten since the list was
   * read: a `queued` row, or a `suppressed` one if they are left out.
   *
   * @param subscribers a few hundred at most, all from before the cut-off.
   * @returns how many rows are new. @throws StoreUnavailable
   */
  enlist(owner: string, id: string, subscribers: readonly Enlisted[]): Promise<number>

  /**
   * Counts the eligible and keeps that number with the announcement: the subscribers from before
   * the cut-off, with or without a row, and the rows of those who were forgotten since.
   *
   * @throws StoreUnavailable
   */
  countEligible(owner: string, id: string): Promise<Announcement>

  /**
   * Takes rows from the queue, in order of their due time: they are `sending`, on disk, before this
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
   * Queues those of these people who were left out for this reason, or leaves them out for another.
   *
   * @param people a few hundred at most. @throws StoreUnavailable
   */
  decideAgain(
    owner: string,
    id: string,
    people: readonly DecidedAgain[],
    leftOutAs: 'told' | BroughtBack,
  ): Promise<void>

  /**
   * Those of some addresses that got one of these announcements, or may have got it.
   *
   * @param emails a few hundred at most. @throws StoreUnavailable
   */
  toldAmong(announcements: readonly string[], emails: readonly string[]): Promise<Set<string>>

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

  /** Whether any row is queued or sending. @throws StoreUnavailable */
  isUnfinished(id: string): Promise<boolean>

  /** How many rows there are of each status. @throws StoreUnavailable */
  tally(id: string): Promise<Tally>

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

/** Of those left out, a later look may find that the reason is over. */
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

export interface Enlisted extends Subscriber {
  /**
   * When an untried row is due, so that rows are claimed in this order: by default their sign-up; of
   * who is decided on again, as it was, or now.
   */
  readonly dueAt?: Date | undefined
  readonly leftOut?: LeftOut | 'quarantined' | undefined
}

/** Somebody who was left out, with why they are now; without a reason they are queued. */
export type DecidedAgain = Pick<Enlisted, 'email' | 'dueAt' | 'leftOut'>

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
  /** Those who signed up before this are told. */
  readonly cutOff: Date
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

/** Untried rows are due as they were enlisted, others when their back-off ends. */
export interface ClaimWanted {
  readonly limit: number
  readonly which: 'untried' | 'tried'
}

export interface ClaimedDelivery {
  readonly addressId: string
  readonly email: string
  /** This one included. */
  readonly tries: number
  readonly dueAt: Date
  /** Their own, as far as it is known. */
  readonly language?: string | undefined
  readonly firstName?: string | undefined
}

export type DeliveryResult = {
  readonly addressId: string
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
  | { readonly status: 'returned'; readonly dueAt: Date }
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
  | 'toldAmong'
  | 'toldSince'
  | 'lately'
  | 'isUnfinished'
  | 'tally'
  | 'suppressedAs'
  | 'deliveries'
  | 'deliveriesTo'
>
