import { plainLine } from '../shared/plain-line.ts'
import type { SendOutcome } from './mailer.ts'

/** The fields of an error that Nodemailer reports. */
interface SmtpError {
  readonly message: string
  readonly code?: string
  readonly response?: string
  readonly responseCode?: number
  readonly command?: string
}

/**
 * What a failed send means for its recipient. Nodemailer reports the same error before and after
 * the final dot. So without an answer of the server, only `wholeTaken` tells whether it may have
 * arrived.
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
  // Also Nodemailer's refusal of a message that is larger than the server's announced limit.
  if (command === 'MAIL FROM' && (isPermanent || code === 'EMESSAGE')) return 'unusable'
  const isAnswer = responseCode >= 400 && responseCode < 600
  // A refused greeting or session says nothing about a recipient.
  if (isAnswer && (wholeTaken || /^(MAIL FROM|RCPT TO|DATA)$/.test(command)))
    return isPermanent ? 'refused' : 'deferred'
  // Without an answer: Nodemailer itself could not send it, for example because of the address.
  if (!isAnswer && /^E(ENVELOPE|MESSAGE)$/.test(code)) return 'refused'
  return wholeTaken ? 'uncertain' : 'unsent'
}

/** The answer on one line, without addresses, cut to the length that the ledger keeps. */
export function answerOf(error: unknown): string {
  const { response, message } = error as SmtpError
  return withoutAddresses(response ?? message)
}

/** Longer than any server's answer, and short enough to search quickly. */
const LONGEST_LOOKED_AT = 4800

export function withoutAddresses(answer: string): string {
  const line = plainLine(answer.slice(0, LONGEST_LOOKED_AT), LONGEST_LOOKED_AT)
  // The last word of a truncated answer may be part of an address.
  const isCut = answer.length > LONGEST_LOOKED_AT
  const words = isCut ? line.slice(0, line.lastIndexOf(' ') + 1) : line
  return plainLine(
    words
      .replace(/"[^"]*"@/g, 'quoted@')
      // Word by word: a pattern with the @ in its middle would take quadratic time.
      .replace(/[^\s<>()"':;,]+/g, (word) => (/.@./.test(word) ? '<address>' : word))
      .replaceAll('<<address>>', '<address>'),
  )
}
