import type { Answer } from '../queue/line.ts'
import type { Notice } from '../store/notices.ts'

/** A place where the operator reads notices: a channel, a program of theirs, a mailbox. */
export interface Place {
  /** Its name in the store, which reveals no URL and no address. */
  readonly name: string
  /** Its name for people: without its path, which is a secret, and without an address. */
  readonly label: string
  /** Sends a message once, in a bounded time. A fault of the network is an answer, no exception. */
  send(message: NoticeMessage, now: Date): Promise<Answer>
  /** Ends a message under way, whose answer is then `stopped`. */
  close(): void
}

export interface NoticeMessage {
  /** The same with every try, for the same notices, also where the words of others are left out. */
  readonly id: string
  readonly notices: readonly Notice[]
}
