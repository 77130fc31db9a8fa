import { plainLine } from '../shared/plain-line.ts'
import type { SendOutcome } from './mailer.ts'

/** What nodemailer tells of a failure. */
interface SmtpError {
  readonly message: string
  readonly code?: string
  readonly response?: string
  readonly responseCode?: number
  readonly command?: string
}

/**
 * What a failed send means for its recipient. Where the server gave no answer, only one thing tells
 * whether the message may have left: nodemailer reports the same error before and after the dot.
 *
 * @param wholeTaken whether the connection had read the message to its end.
 */
export function classify(error: unknown, wholeTaken: boolean): SendOutcome {
  return { kind: kindOf(error as SmtpError, wholeTaken), answer: answerOf(error) }
}

function kindOf(error: SmtpError, wholeTaken: boolean): SendOutcome['kind'] {
  const { code = '', responseCode = 0, command = '' } = error
  if (/^E(NO)?(AUTH|OAUTH2)$/.test(code)) return 'unusable'
  const isPermanent = responseCode >= 500 && responseCode !== 503
  // Also our own refusal of a message that is larger than the server said it takes.
  if (command === 'MAIL FROM' && (isPermanent || code === 'EMESSAGE')) return 'unusable'
  const isAnswer = responseCode >= 400 && responseCode < 600
  // A greeting or a session that was turned away says nothing about a recipient.
  if (isAnswer && (wholeTaken || /^(MAIL FROM|RCPT TO|DATA)$/.test(command)))
    return isPermanent ? 'refused' : 'deferred'
  // Without an answer: what nodemailer itself found impossible to send, such as an odd address.
  if (!isAnswer && /^E(ENVELOPE|MESSAGE)$/.test(code)) return 'refused'
  return wholeTaken ? 'uncertain' : 'unsent'
}

/** What was said, on one line, without addresses, short enough for a ledger. */
export function answerOf(error: unknown): string {
  const { response, message } = error as SmtpError
  return withoutAddresses(response ?? message)
}

/** More than any server says, and little enough to look through. */
const LONGEST_LOOKED_AT = 4800

export function withoutAddresses(answer: string): string {
  const line = plainLine(answer.slice(0, LONGEST_LOOKED_AT), LONGEST_LOOKED_AT)
  // The last word of an answer that was cut may be the half of an address.
  const isCut = answer.length > LONGEST_LOOKED_AT
  const words = isCut ? line.slice(0, line.lastIndexOf(' ') + 1) : line
  return plainLine(
    words
      .replace(/"[^"]*"@/g, 'quoted@')
      // Word by word: a pattern with the sign in its middle would look at each character from each.
      .replace(/[^\s<>()"':;,]+/g, (word) => (/.@./.test(word) ? '<address>' : word))
      .replaceAll('<<address>>', '<address>'),
  )
}
