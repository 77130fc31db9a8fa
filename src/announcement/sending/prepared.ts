import type { Recipient } from '../../mail/letter/message.ts'
import type { Message } from '../../mail/mailer.ts'
import type { SuppressionReason } from '../../store/delivery-ledger.ts'

/**
 * A letter whose sending was noted first; or why this recipient gets none, or until when they wait; or
 * the sign that an earlier try did reach them.
 */
export type Prepared =
  | { readonly message: Message }
  | { readonly leftOut: SuppressionReason }
  | { readonly toldBy: string }
  | { readonly dueAt: Date; readonly answer: string }

/**
 * Makes the letter of a recipient. @throws StoreUnavailable where something has to be noted first
 */
export type LetterFor = (recipient: Recipient) => Message | Promise<Prepared>
