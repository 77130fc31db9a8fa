import { Refused } from '../shared/refused.ts'

/** Why nothing is sent, or nothing more. Each face has words for it. */
export type Refusal =
  | {
      readonly code: 'nothing-to-retry' | 'no-such-announcement'
      readonly id: string
    }
  /** It was sent by this option of `announce`. */
  | { readonly code: 'letter-asks'; readonly id: string; readonly option: string }
  /** The run that has the lock is not known to be dead. */
  | { readonly code: 'another-runs'; readonly host: string; readonly pid: number }
  /** Another run has begun meanwhile. */
  | { readonly code: 'overtaken' }
  /** Subscribers and ledger disagree on the number of recipients. */
  | { readonly code: 'imbalance'; readonly eligible: number; readonly rows: number }
  | { readonly code: 'letter-name' | 'letter-name-taken'; readonly file: string }
  | {
      readonly code: 'letter-unreadable'
      readonly file: string
      readonly answer: string
      readonly isMissing: boolean
    }
  | {
      readonly code: 'letter-mistakes'
      readonly file: string
      readonly mistakes: readonly string[]
    }

/** @returns the error to throw. */
export const refused = (why: Refusal, options?: ErrorOptions) => new Refused(why, options)
