import { describe, expect, it } from 'vitest'
import type { SendOutcome } from '../../src/mail/mailer.ts'
import { answerOf, classify } from '../../src/mail/smtp-outcome.ts'

/** A failure as nodemailer reports it. */
interface Failure {
  readonly code?: string
  readonly responseCode?: number
  readonly command?: string
}

const kindOf = (failure: Failure, wholeTaken = false) =>
  classify({ message: 'it failed', ...failure }, wholeTaken).kind

const recipient = (responseCode: number): Failure => ({ responseCode, command: 'RCPT TO' })

describe('what a failure means', () => {
  const cases: [Failure, SendOutcome['kind']][] = [
    [recipient(400), 'deferred'],
    [recipient(499), 'deferred'],
    [recipient(500), 'refused'],
    [recipient(599), 'refused'],
    // It speaks of the session, not of this recipient.
    [recipient(503), 'deferred'],
    // What is no answer to a command says nothing.
    [recipient(399), 'unsent'],
    [recipient(600), 'unsent'],

    [{ responseCode: 550, command: 'MAIL FROM' }, 'unusable'],
    [{ responseCode: 450, command: 'MAIL FROM' }, 'deferred'],
    [{ responseCode: 503, command: 'MAIL FROM' }, 'deferred'],
    [{ code: 'EMESSAGE', command: 'MAIL FROM' }, 'unusable'],
    [{ code: 'ETIMEDOUT', command: 'MAIL FROM' }, 'unsent'],
    [{ responseCode: 554, command: 'DATA' }, 'refused'],

    // A greeting or a session that was turned away, whoever it was for.
    [{ responseCode: 421, command: 'CONN' }, 'unsent'],
    [{ responseCode: 554, command: 'CONN' }, 'unsent'],
    [{ responseCode: 554, command: 'EHLO' }, 'unsent'],
    [{ responseCode: 554 }, 'unsent'],
    [{ responseCode: 550, command: 'X RCPT TO' }, 'unsent'],
    [{ responseCode: 550, command: 'DATA X' }, 'unsent'],
    [{ responseCode: 550, code: 'EENVELOPE', command: 'CONN' }, 'unsent'],

    [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, 'unusable'],
    [{ code: 'ENOAUTH' }, 'unusable'],
    [{ code: 'EOAUTH2' }, 'unusable'],
    [{ code: 'XEAUTH' }, 'unsent'],
    [{ code: 'EAUTHX' }, 'unsent'],

    // What nodemailer itself would not send.
    [{ code: 'EENVELOPE' }, 'refused'],
    [{ code: 'EMESSAGE' }, 'refused'],
    [{ code: 'XEENVELOPE' }, 'unsent'],
    [{ code: 'EENVELOPEX' }, 'unsent'],

    [{ code: 'ECONNECTION', command: 'CONN' }, 'unsent'],
    [{}, 'unsent'],
  ]
  it.each(cases)('%j before the message was given away: %s', (failure, kind) => {
    expect(kindOf(failure)).toBe(kind)
  })

  const after: [Failure, SendOutcome['kind']][] = [
    [{ responseCode: 554 }, 'refused'],
    [{ responseCode: 452 }, 'deferred'],
    [{ responseCode: 503 }, 'deferred'],
    [{ responseCode: 600 }, 'uncertain'],
    [{ code: 'ECONNECTION' }, 'uncertain'],
    [{ code: 'ETIMEDOUT', command: 'DATA' }, 'uncertain'],
  ]
  it.each(after)('%j after that: %s', (failure, kind) => {
    expect(kindOf(failure, true)).toBe(kind)
  })
})

describe('what was said', () => {
  it('is what the server said, or else what went wrong', () => {
    expect(answerOf({ message: 'it failed', response: '550 no' })).toBe('550 no')
    expect(answerOf(new Error('it failed'))).toBe('it failed')
  })

  it('is one line without addresses, short enough for a ledger', () => {
    const answer = '550-<ada@example.com>:  unknown\r\n550   (bob@example.org) too'
    expect(answerOf({ message: answer })).toBe('550-<address>: unknown 550 (<address>) too')
    expect(answerOf({ message: 'x'.repeat(1000) })).toBe('x'.repeat(300))
  })
})
