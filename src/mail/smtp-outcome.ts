import { plainLine } from '../shared/plain-line.ts'
import type { SendOutcome } from './mailer.ts'
import { saysIn, waitIn } from './smtp-answers.ts'

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
  const { command, response = '' } = error as SmtpError
  const isPutOff = response.startsWith('4')
  // Before a recipient is named, an answer says nothing of them.
  const says = saysIn(response) ?? (isPutOff && command === 'MAIL FROM' ? 'session' : undefined)
  const waitMs = isPutOff ? waitIn(response) : undefined
  return {
    kind: kindOf(error as SmtpError, wholeTaken, says),
    answer: answerOf(error),
    ...(says && { says }),
    ...(waitMs && { waitMs }),
  }
}

/** Whether what went wrong is over with this connection: another may take the same letter. */
export const isOfSession = ({ kind, says, answer }: SendOutcome) =>
  kind === 'unsent' ||
  says === 'session' ||
  (kind === 'deferred' && says !== 'greylisting' && answer.startsWith('421'))

/** Whether the server has enough connections of ours. It did not take what it was given. */
export const isCrowded = ({ kind, says, answer }: SendOutcome) =>
  says === 'connections' || (kind === 'unsent' && answer.startsWith('421'))

function kindOf(
  error: SmtpError,
  wholeTaken: boolean,
  says: SendOutcome['says'],
): SendOutcome['kind'] {
  const { code = '', responseCode = 0, command = '' } = error
  if (says === 'quota') return 'unusable'
  // A login that is put off may be taken later.
  if (/^E(NO)?(AUTH|OAUTH2)$/.test(code))
    return says || (responseCode >= 400 && responseCode < 500) ? 'unsent' : 'unusable'
  const isPermanent = responseCode >= 500 && responseCode !== 503 && !says
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
