import type { Standing } from '../people/standing.ts'
import { StoreUnavailable } from './subscriber-store.ts'

/*
 * Firestore, with the page on Firebase: visitors write there, and the list takes in what they wrote.
 */

/** A time as Firestore keeps it, to the microsecond: milliseconds round it. */
export interface FineTime {
  readonly seconds: number
  readonly nanoseconds: number
}

/** A document, which anybody may have written who has the right to. */
export interface FoundDocument {
  readonly id: string
  /** The names of all its fields. */
  readonly fields: readonly string[]
  readonly email: unknown
  /** What is a time there, from 1970 on and before 2200. */
  readonly subscribedAt: FineTime | undefined
}

/** Where a page of documents ends, in the order of `documents`. */
export interface Place {
  readonly email: string
  readonly at: FineTime
  readonly id: string
}

export interface FoundPage {
  readonly documents: readonly FoundDocument[]
  /** Where the next page begins; `undefined` after the last one. */
  readonly next: Place | undefined
  /** By Google's clock. */
  readonly readAt: FineTime
}

/** Which list takes in, in a document that no visitor may read. */
export interface Claim {
  /** The random id of the list. */
  readonly list: string
  /** Grows each time that another list takes over. */
  readonly generation: number
  /** How many noes are kept beside it. */
  readonly noes: number
  /** Keys the ids of the noes: random, since the keys of a list are lost with its machine. */
  readonly key: string
  /** The name of the list's machine, for people. */
  readonly machine: string
  /** When it took in last. */
  readonly at: Date
}

/** A claim as it was read, so that it is changed only if nobody changed it since. */
export interface ReadClaim extends Claim {
  readonly version: FineTime
}

/** Why somebody is not mailed, as it is kept beside the claim. */
export interface KeptNo {
  /** A keyed hash of the address, by the claim's key. */
  readonly key: string
  readonly standing: Standing
  readonly at: Date
}

/** Google, the network or the project's set-up refuses: the operator or time can change that. */
export class InboxUnavailable extends StoreUnavailable {
  override readonly name: string = 'InboxUnavailable'
}

/** Another list takes in, or this one knows too little of it: only the operator can change that. */
export class InboxTaken extends InboxUnavailable {
  override readonly name: string = 'InboxTaken'
}

/** A document that makes a sign-up. */
export interface FoundSignUp {
  readonly id: string
  readonly email: string
  readonly at: Date
  readonly fine: FineTime
}

/** What this list remembers of taking in. */
export interface CollectState {
  readonly list: string
  readonly generation: number
  /** How many noes this list has written at Google, or begun to. */
  readonly noes: number
  readonly key: string
  /** The time of the newest document that was taken in. */
  readonly newest?: FineTime | undefined
  /** The time of the latest document that was found, in milliseconds since 1970: it may wait yet. */
  readonly latest?: number | undefined
  /** A look that was begun and is not over. */
  readonly look?: Look | undefined
  /** When, by Google's clock, the last look of each reach began, in seconds. */
  readonly lookedAt: { readonly [reach in Exclude<Reach, 'all'>]?: number | undefined }
  /** The last count: how many documents there were not taken in; below 0, how many are gone there. */
  readonly missing?: number | undefined
  readonly countedAt?: number | undefined
  /** When it took in last, by this machine. */
  readonly at: number
  /** How many reads the last short look took beyond those of new documents. */
  readonly lastReads: number
}

/** How far before the newest document a look begins. */
export type Reach = 'minutes' | 'day' | 'all'

export interface Look {
  readonly reach: Reach
  readonly from: FineTime
  /** By Google's clock: later documents may be missing in this look. */
  readonly beganAt?: FineTime | undefined
  readonly after?: Place | undefined
  /** The newest document before `beganAt`. */
  readonly newest?: FineTime | undefined
  /** How many documents it found that were taken in before, and how many others. */
  readonly again: number
  readonly fresh: number
}

export interface Erasure {
  readonly email: string
  /** When it was forgotten: who signed up again since is on the list. */
  readonly at: Date
}
