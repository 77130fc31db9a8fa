import type { Answer } from '../queue/waiting-line.ts'
import type { HeardNothing } from '../shared/heard-nothing.ts'
import type { NoticeMessage } from '../store/notices.ts'
import type { Store } from '../store/store.ts'
import type { TimeOfDay } from './end-of-day.ts'
import type { WatchedBackups } from './watch-backups.ts'

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

/** What is told to an operator, and where. What it looks at throws StoreUnavailable in an outage. */
export interface TellOperatorOptions {
  readonly store: Pick<
    Store,
    | ('list' | 'notices' | 'requests' | 'lock' | 'ledger' | 'events' | 'refusals' | 'counts')
    | 'inbox'
    | ('visits' | 'checkWritable')
  >
  readonly places: readonly Place[]
  readonly appId: string
  /** When a day is summed up; left out for no summaries. */
  readonly dayEndsAt?: TimeOfDay | undefined
  /** Left out where nobody looks at them. */
  readonly backups?: WatchedBackups | undefined
  /** How many are on a list whose time is over; left out for a product that sets none. */
  readonly overdue?: ((now: Date) => Promise<number | undefined>) | undefined
  /** Counts, once a day, who has heard nothing for long. */
  readonly silence?: ((now: Date) => Promise<HeardNothing | undefined>) | undefined
  /** How often it looks for notices to send, in milliseconds. */
  readonly everyMs: number
  /** Gets sentences without addresses and URLs. */
  readonly log: { warn(message: string): void; error(message: string): void }
  readonly now: () => Date
}
