import type { Recipient } from '../../mail/letter/message.ts'
import type { Message, SendOutcome } from '../../mail/mailer.ts'
import type { SuppressionReason } from '../../store/delivery-ledger.ts'

/**
 * A letter for whose sending something had to be noted first, and what notes its end; or why this
 * recipient gets none, or not before when; or how it is known that an earlier try did reach them.
 */
export type Prepared =
  | { readonly message: Message; settle(outcome: SendOutcome): Promise<void> }
  | { readonly leftOut: SuppressionReason }
  | { readonly toldBy: string }
  | { readonly dueAt: Date; readonly answer: string }

/** Gives each recipient the letter. @throws StoreUnavailable where something has to be noted first */
export type LetterFor = (recipient: Recipient) => Message | Promise<Prepared>
