/** @module-tag long */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Message } from '../../src/mail/mailer.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import { type Answer, endless, startHostileRelay, trickle } from '../fixtures/hostile-relay.ts'
import { launchPad } from '../fixtures/launch-pad.ts'
import { ended } from '../fixtures/run.ts'
import { amount, report } from './form.ts'

const letter: Message = {
  from: 'team@example.org',
  replyTo: undefined,
  to: 'ada@example.com',
  subject: 'We are live',
  html: '<p>Hello</p>',
  text: 'Hello',
  messageId: '<one@example.org>',
  headers: {},
  pictures: [],
}
const times = amount(1, 20)
/** However often it is tried. */
const MOST_MEMORY = 200e6

/** How a relay may be hostile, by what it says to each command; '' is its greeting, '.' the message's end. */
const hostile: Record<string, Record<string, Answer>> = {
  'a greeting that is one line without end': { '': endless('x') },
  'a greeting of lines without end': { '': endless('220-hello\r\n') },
  'a greeting of empty lines without end': { '': endless('\r\n') },
  'a greeting that trickles': { '': trickle('2') },
  'greetings without end': { '': endless('220 hello\r\n') },
  'an endless list of what it can': { EHLO: endless('250-X-THING\r\n') },
  'a list of what it can that trickles': { EHLO: trickle('250-X-THING\r\n') },
  'an answer about the sender without end': { MAIL: endless('250-yes\r\n') },
  'empty lines in place of an answer': { RCPT: endless('\r\n') },
  'an answer about the recipient that trickles': { RCPT: trickle('250-yes\r\n') },
  'an answer to the message that trickles': { '.': trickle('250-yes\r\n') },
  'an answer to the message without end': { '.': endless('2') },
}

describe('a hostile mail server', () => {
  for (const [what, answers] of Object.entries(hostile))
    it(`is left in time, and fills no memory, with ${what}`, {
      timeout: 600_000,
    }, async (context) => {
      const url = await startHostileRelay(answers)
      // Only what trickles is left for the time it takes: what has no end is left for its length.
      const timeouts = what.includes('trickles')
        ? { connect: 3000, silence: 4000, message: 6000 }
        : { connect: 60_000, silence: 60_000, message: 120_000 }
      // Time enough to get to the end of the message, where only the answer to that trickles.
      if (what.includes('trickles') && '.' in answers)
        Object.assign(timeouts, { connect: 60_000, silence: 60_000, message: 15_000 })
      const mailer = smtpMailer({ url, timeouts })
      onTestFinished(() => mailer.close())
      let most = 0
      const before = process.memoryUsage().rss
      for (let n = 0; n < times; n += 1) {
        await mailer
          .check()
          .catch((error) => expect(error.message).toMatch(/^127\.0\.0\.1: [^\n]+$/))
        const { kind, answer } = await mailer.send(letter)
        // Greetings without end are a yes to everything.
        expect(['unsent', 'uncertain', 'accepted']).toContain(kind)
        if ('.' in answers) expect(kind).toBe('uncertain')
        expect(answer.length).toBeLessThan(301)
        most = Math.max(most, process.memoryUsage().rss - before)
      }
      expect(most).toBeLessThan(MOST_MEMORY)
      report(context, {
        done: `a mail server with ${what}`,
        times,
        result: `left in time, ${Math.round(most / 1e6)} MB more at most`,
      })
    })

  it('gets nothing into terminal, ledger or JSON that a terminal obeys, nor an address', {
    timeout: 120_000,
  }, async (context) => {
    const pad = await launchPad(12)
    const nasty = '\x1b]52;c;aGk=\x07\x9b2J\x9d0;\u202eevil\u2066\u200b'
    const says = (text: string) => Buffer.from(`${text}\r\n`).toString('utf8')
    const url = await startHostileRelay({
      RCPT: says(
        `550-${nasty} <person1@example.com>\r\n550 per\u200bson2@exam\x1bple.com ${'@x'.repeat(20_000)}`,
      ),
    })
    const announce = (...args: string[]) =>
      ended(
        pad.start(
          ['announce', pad.launch, '--rate', '1000', '--dns-server', pad.dns.server, ...args],
          { SMTP_URL: url },
        ),
      )
    const run = await announce('--stop-share', '100%')
    expect(run.code, run.stderr).toBe(3)
    expect(run.stdout).toContain('The balance holds: 12 = 12 failed')
    const json = await announce('--json')
    const listed = await pad.run(['deliveries', 'launch', '--json'])
    const found = await pad.run(['find', 'person1@example.com'])
    for (const { stdout, stderr } of [run, json, listed, found]) {
      const said = stdout + stderr
      expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]|\\u00|\\u20/u)
    }
    const { notSent } = JSON.parse(json.stdout)
    expect(notSent).toHaveLength(12)
    for (const { answer } of notSent) {
      expect(answer).toMatch(/^550- ?\]52;c;aGk=2J0;evil <address> 550 <address>/)
      expect(answer.length).toBeLessThan(301)
    }
    report(context, {
      done: 'answers with control and format characters, addresses and 40 kB of signs',
      times: 12,
      result: 'nothing of it reached ledger, terminal or JSON',
    })
  })

  it('that answers a megabyte stops nobody from stopping', { timeout: 120_000 }, async () => {
    const pad = await launchPad(50)
    const url = await startHostileRelay({ RCPT: `550 ${'x@'.repeat(500_000)}\r\n` })
    const program = pad.start(
      ['announce', pad.launch, '--rate', '1000', '--dns-server', pad.dns.server],
      { SMTP_URL: url },
    )
    await program.printed(/50 to send/)
    program.signal('SIGTERM')
    const { code, stdout } = await ended(program)
    expect([1, 130]).toContain(code)
    expect(stdout).toContain('The balance holds: 50 = ')
  })
})
