import { describe, expect, it } from 'vitest'
import type { SendOutcome } from '../../src/mail/mailer.ts'
import { answerOf, classify, isCrowded, isOfSession } from '../../src/mail/smtp-outcome.ts'

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
    // A login that is put off may be taken later.
    [{ code: 'EAUTH', responseCode: 454, command: 'AUTH PLAIN' }, 'unsent'],
    [{ code: 'EAUTH', responseCode: 421, command: 'AUTH PLAIN' }, 'unsent'],
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

describe('what an answer is about', () => {
  const said = (response: string, command: string, wholeTaken = false) => {
    const responseCode = Number(response.slice(0, 3))
    return classify({ message: 'it failed', response, responseCode, command }, wholeTaken)
  }
  const cases: [string, string, Partial<SendOutcome>][] = [
    ['550 5.4.5 Daily user sending limit exceeded.', 'DATA', { kind: 'unusable', says: 'quota' }],
    ['550 5.7.1 sending rate exceeded, slow down', 'DATA', { kind: 'deferred', says: 'rate' }],
    ['451 4.3.0 queue file write error', 'MAIL FROM', { kind: 'deferred', says: 'session' }],
    ['451 4.3.0 queue file write error', 'RCPT TO', { kind: 'deferred' }],
    ['450 4.7.1 Greylisted for 5 minutes', 'RCPT TO', { says: 'greylisting', waitMs: 300_000 }],
    ['550 5.1.1 retry in 5 minutes', 'RCPT TO', { kind: 'refused' }],
    ['421 4.3.2 closing', 'CONN', { kind: 'unsent', says: 'session' }],
  ]
  it.each(cases)('%s to %s', (response, command, outcome) => {
    expect(said(response, command)).toEqual({
      kind: outcome.kind ?? 'deferred',
      answer: response,
      ...outcome,
    })
  })

  it('decides whether another connection may take the letter, and whether there are too many', () => {
    const of = (response: string, command: string) => {
      const outcome = said(response, command, command === '.')
      return [isOfSession(outcome), isCrowded(outcome)]
    }
    expect(of('421 closing', 'MAIL FROM')).toEqual([true, false])
    expect(of('421 4.7.28 unusual rate', 'RCPT TO')).toEqual([true, false])
    expect(of('421 4.4.2 closing', 'DATA')).toEqual([true, false])
    expect(of('451 4.3.0 enough', 'MAIL FROM')).toEqual([true, false])
    expect(of('452 4.4.5 Maximum number of messages per session', 'DATA')).toEqual([true, false])
    expect(of('554 5.7.0 Too many connections', 'CONN')).toEqual([true, true])
    expect(of('421 closing', 'CONN')).toEqual([true, true])
    expect(of('432 4.3.2 Concurrent connections limit exceeded', '.')).toEqual([false, true])
    expect(of('421 Greylisted, try later', 'RCPT TO')).toEqual([false, false])
    expect(of('550 5.1.1 unknown', 'RCPT TO')).toEqual([false, false])
    // Without an answer after the final dot, nothing is known.
    const lost = classify({ message: 'lost', code: 'ECONNECTION' }, true)
    expect([isOfSession(lost), isCrowded(lost)]).toEqual([false, false])
  })
})

describe('what was said', () => {
  it('is what the server said, or else what went wrong', () => {
    expect(answerOf({ message: 'it failed', response: '550 no' })).toBe('550 no')
    expect(answerOf(new Error('it failed'))).toBe('it failed')
  })
})
