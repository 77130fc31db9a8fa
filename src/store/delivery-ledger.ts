import type { Subscriber } from '../shared/subscriber.ts'
import { standings } from './standing.ts'
import type { Departed, KeptWaves } from './waves.ts'

/**
 * Who is told what, and how far that is: one row for each recipient of each announcement.
 * A method that takes an `owner` throws `LockLost`, and changes nothing, unless that owner holds the
 * run lock at that moment; only `record` does not ask, since what happened has happened.
 */
export interface DeliveryLedger {
  readonly claiming: Claiming

  /** Newest first. @throws StoreUnavailable */
  announcements(): Promise<Announcement[]>

  /** @throws StoreUnavailable */
  findAnnouncement(id: string): Promise<Announcement | undefined>

  /**
   * Begins an announcement for all who signed up before now, by the store's own clock; or, where it
   * has begun, takes over the letter as it is now. @throws StoreUnavailable
   */
  begin(owner: string, id: string, letter: LetterRecord): Promise<Announcement>

  /** Moves the cut-off to now, so that later sign-ups can be enlisted. @throws StoreUnavailable */
  moveCutOff(owner: string, id: string): Promise<Announcement>

  /**
   * Gives a row to each of these subscribers that has none, and to nobody who was forgotten since the
   * list was read: a `queued` one, or a `suppressed` one for who is left out.
   *
   * @param subscribers a few hundred at most, all from before the cut-off.
   * @returns how many rows are new. @throws StoreUnavailable
   */
  enlist(owner: string, id: string, subscribers: readonly Enlisted[]): Promise<number>

  /**
   * Counts who is eligible and keeps that number with the announcement: the subscribers from before
   * the cut-off, whatever rows there are, and the rows of those who have been forgotten since.
   *
   * @throws StoreUnavailable
   */
  countEligible(owner: string, id: string): Promise<Announcement>

  /**
   * Keeps how an announcement goes out in waves; `undefined` when it does so no longer.
   *
   * @throws StoreUnavailable
   */
  keepWaves(owner: string, id: string, waves: KeptWaves | undefined): Promise<void>

  /**
   * Takes rows from the queue, in order of their due time: they are `sending`, on disk, before this
   * resolves, with one more try. Those who may not be written to become `suppressed` on the way and
   * are not given, so that there may be fewer than wanted. None given means that none is due now.
   *
   * @param ended is noted with it, whole or not at all, as by `record`; by itself where the lock is
   *   lost. So no more rows are `sending` than whoever asks knows of.
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
   * meanwhile, stays as it is; one that was declared `uncertain` meanwhile learns its true end.
   *
   * @throws StoreUnavailable
   */
  record(owner: string, id: string, results: readonly DeliveryResult[]): Promise<void>

  /** When the next of the rows is due that were tried before, if any is queued. @throws StoreUnavailable */
  nextRetry(id: string): Promise<Date | undefined>

  /**
   * Turns what an earlier owner left `sending` into `uncertain`. @returns how many.
   * @throws StoreUnavailable
   */
  settle(owner: string, id: string): Promise<number>

  /**
   * Puts all rows of a status back in the queue, due now, as tried ones: those that were restored from
   * a copy may have had no try here. @returns how many. @throws StoreUnavailable
   */
  requeue(owner: string, id: string, status: 'failed' | 'uncertain'): Promise<number>

  /**
   * Puts those of these addresses in the queue that were left out for this reason.
   *
   * @param emails a few hundred at most. @throws StoreUnavailable
   */
  bringBack(
    owner: string,
    id: string,
    emails: readonly string[],
    leftOutAs: 'told' | 'quarantined' | 'mailbox',
  ): Promise<void>

  /**
   * Who of some addresses got one of these announcements, or may have got it.
   *
   * @param emails a few hundred at most. @throws StoreUnavailable
   */
  toldAmong(announcements: readonly string[], emails: readonly string[]): Promise<Set<string>>

  /** How many of those who were told have left since, or could not be reached. @throws StoreUnavailable */
  departed(id: string): Promise<Departed>

  /**
   * Who was sent any announcement since a time, or may have been; without an address where it was
   * forgotten. @throws StoreUnavailable
   */
  toldSince(time: Date): AsyncIterable<Told>

  /** Whether anybody is in the queue, or in the middle of being sent it. @throws StoreUnavailable */
  isUnfinished(id: string): Promise<boolean>

  /** How many rows there are of each status. @throws StoreUnavailable */
  tally(id: string): Promise<Tally>

  /** How many `suppressed` rows there are, by the reason. @throws StoreUnavailable */
  suppressedAs(id: string): Promise<SuppressionCounts>

  /** The rows in a stable order of the store's own, in constant memory. @throws StoreUnavailable */
  deliveries(id: string, status?: DeliveryStatus): AsyncIterable<Delivery>

  /** What an address was told, newest first. @throws StoreUnavailable */
  deliveriesTo(email: string): Promise<Delivery[]>
}

/**
 * The question to those who are on the list from before anybody had to confirm. It is counted and
 * sent as an announcement is, but tells nobody anything: so it leaves nobody out of one.
 */
export const ASK = 'ask'

/** Why somebody is left out of an announcement though they may be written to. */
export const leftOutReasons = [
  /** Theirs is a mailbox that gets enough letters of it already. */
  'mailbox',
  /** They got an earlier announcement. */
  'told',
  /** They need not be asked. */
  'confirmed',
  /** No letter can be sent to their address, such as to an IP literal. */
  'unmailable',
] as const

export type LeftOut = (typeof leftOutReasons)[number]

/**
 * Why a row is `suppressed`: where the address stood then, why it was left out, or that the invitation
 * in its letter was `revoked`.
 */
export const suppressionReasons = [...standings, ...leftOutReasons, 'revoked'] as const

export type SuppressionReason = (typeof suppressionReasons)[number]

export type SuppressionCounts = Readonly<Record<SuppressionReason, number>>

export function noSuppressions(): Record<SuppressionReason, number> {
  return Object.fromEntries(suppressionReasons.map((reason) => [reason, 0])) as Record<
    SuppressionReason,
    number
  >
}

export interface Enlisted extends Subscriber {
  readonly leftOut?: LeftOut | 'quarantined' | undefined
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

export interface LetterRecord {
  readonly subject: string
  /** Changes when anything a recipient would see changes. */
  readonly digest: string
}

export interface Announcement extends LetterRecord {
  /** Lower-case letters, digits and hyphens; at most 60. */
  readonly id: string
  readonly begunAt: Date
  /** Who signed up before this is told. */
  readonly cutOff: Date
  /** `undefined` until `countEligible`, and again after the cut-off was moved. */
  readonly eligible: number | undefined
  /** Where it goes out in waves. */
  readonly waves?: KeptWaves | undefined
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

/** What claims are like in a store, for whoever decides when to ask for how much. */
export interface Claiming {
  /** How many calls a claim makes, one after the other. */
  readonly roundTrips: number
  /**
   * How many rows may be `sending` beyond those that a connection is sending: as many as are worth
   * not waiting for each claim. When a run dies, nobody knows of them, either.
   */
  readonly ahead: number
}

/** Untried rows are due by their sign-up's time, others when their back-off ends. */
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
}

export type DeliveryResult = {
  readonly addressId: string
  /** As claimed: how an earlier try ended says nothing about one that has begun since. */
  readonly tries: number
  /** That of the letter, where the announcement has several. */
  readonly language?: string | undefined
} & (
  | { readonly status: 'sent' | 'failed' | 'uncertain'; readonly answer: string }
  /** Not sent for sure: to be tried again, not before `dueAt`. */
  | { readonly status: 'queued'; readonly answer: string; readonly dueAt: Date }
  /** Never begun: in the queue again, where it was, as if nobody had claimed it. */
  | { readonly status: 'returned'; readonly dueAt: Date }
  /** Never begun, and never to be. */
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
  | 'departed'
  | 'isUnfinished'
  | 'tally'
  | 'suppressedAs'
  | 'deliveries'
  | 'deliveriesTo'
>
