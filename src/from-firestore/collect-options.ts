import type { Claim, CollectState } from '../store/inbox.ts'
import type { Inbox } from '../store/open-store.ts'
import type { Collecting } from '../store/store.ts'
import type { Judge } from './judge.ts'

export interface CollectorOptions {
  readonly inbox: Inbox
  readonly collecting: Collecting
  /** The name of this machine, for people. */
  readonly machine: string
}

/** A list that takes in, and where from. It remembers the signs of robots from look to look. */
export interface Taking extends CollectorOptions {
  readonly signs: Judge
  readonly requestSigns: Judge
}

/** What the operator is told of a look. */
export interface CollectEvents {
  /** @param documents that will be read, by the first look at a list. */
  first?(documents: number): void
  /** How many documents were found so far, and how many were taken in. */
  progress?(found: number, takenIn: number): void
  /** Before another list is taken over from. */
  takesOver?(before: Claim, noes: number): void
}

export interface CollectOptions extends CollectEvents {
  /** Takes over from another list. */
  readonly takeOver?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** What came of a look. */
export interface CollectEnd {
  /** Documents that were taken in, odd ones not. */
  readonly takenIn: number
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean
}

/** What a list that has begun to take in remembers. */
export async function known({ collecting }: Pick<Taking, 'collecting'>): Promise<CollectState> {
  const state = await collecting.state()
  if (!state) throw new Error('Nothing is known of the inbox.')
  return state
}
