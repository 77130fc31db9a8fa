import { leftOut } from '../features/all-rules.ts'
import { standings } from '../people/standing.ts'
import { askedBy } from './letters-that-ask.ts'
import type { ListedSubscriber } from './subscriber-list.ts'

/** Whether those who got it know the news: a question is no reason to leave them out of a letter. */
export function tellsNews(announcement: string): boolean {
  return askedBy(announcement) === undefined
}

/** Why a subscriber who may be mailed is left out of an announcement. */
export const leftOutReasons = [
  /** Their mailbox gets enough letters of it already. */
  'mailbox',
  /** They got another announcement. */
  'told',
  /** They did not give the answer that it is for. */
  'answer',
  ...(Object.keys(leftOut) as (keyof typeof leftOut)[]),
  /** They have heard something lately, or answered, and need not be asked. */
  'heard',
  /** No letter can be sent to their address, such as to an IP literal. */
  'unmailable',
] as const

/** Of those left out, a later run may find that the reason is over. */
export const mayComeBack = ['quarantined', 'mailbox', 'answer'] as const

type MayComeBack = (typeof mayComeBack)[number]

export type LeftOut = (typeof leftOutReasons)[number]

/** Why a row is `suppressed`: the standing of the address then, or the reason why it was left out. */
export const suppressionReasons = [...standings, ...leftOutReasons] as const

export type SuppressionReason = (typeof suppressionReasons)[number]

export type SuppressionCounts = Readonly<Record<SuppressionReason, number>>

const none = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>

export const noSuppressions = () => none(suppressionReasons)

export const noTally = () => none([...deliveryStatuses, 'untried'])

/** Those who came on the list after a number, and up to one. */
export interface NumberRange {
  readonly after?: number
  readonly upTo?: number | undefined
  /** Of these alone, which rise. */
  readonly among?: readonly number[] | undefined
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
  readonly wasLeftOutAs?: 'told' | MayComeBack | undefined
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

export interface Announcement extends LetterRecord, Counted {
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
)

export type Tally = Readonly<Record<DeliveryStatus, number>> & {
  /** Those of the `queued` that were never tried. */
  readonly untried: number
}

export interface Counted {
  /** How many rows there are of each status. */
  readonly tally: Tally
  /** How many are `suppressed`, by the reason. */
  readonly suppressed: SuppressionCounts
}
