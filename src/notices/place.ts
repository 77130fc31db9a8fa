import type { Notice } from '../store/notices.ts'

/** Somewhere an operator reads: a channel, a program of theirs, a mailbox. */
export interface Place {
  /** What the store knows it by: from it nobody learns a URL or an address. */
  readonly name: string
  /** What people know it by: never its path, which is a secret, and never an address. */
  readonly label: string
  /** Sends a message once, in a bounded time. A fault of the network is an answer, no exception. */
  send(message: NoticeMessage, now: Date): Promise<PlaceAnswer>
  /** Ends what is under way: `stopped` is its answer. */
  close(): void
}

export interface NoticeMessage {
  /** The same with every try; in it the same notices. */
  readonly id: string
  readonly notices: readonly Notice[]
  /** Who signed up in the day of a notice, by its id, where the operator wants addresses. */
  readonly people: ReadonlyMap<string, People>
}

export interface People {
  readonly emails: readonly string[]
  /** How many more there are. */
  readonly more: number
}

export type PlaceAnswer =
  | { readonly kind: 'arrived' }
  /** Nobody waited for its answer. */
  | { readonly kind: 'stopped' }
  /** It takes no messages any more. */
  | { readonly kind: 'gone'; readonly answer: string }
  | {
      readonly kind: 'failed'
      /** In a few words, without an address. */
      readonly answer: string
      /** How long it wants to be left alone, in milliseconds. */
      readonly waitMs?: number | undefined
    }
