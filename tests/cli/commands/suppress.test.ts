import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type SuppressOptions, suppress, undoBounce } from '../../../src/cli/commands/suppress.ts'
import { unsubscribe } from '../../../src/cli/commands/unsubscribe.ts'
import { unsubscribeTokens } from '../../../src/keys/unsubscribe-token.ts'
import { exitCodes } from '../../../src/terminal/exit-codes.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { listening } from '../../fixtures/spoken.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const names = ['ada', 'bob', 'cleo', 'dan'] as const

/** A list of four, and what a report makes of it. */
async function listOfFour() {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  await store.list.importAll(
    names.map((name, i) => ({ email: `${name}@example.com`, subscribedAt: new Date(i) })),
  )
  return {
    store,
    async hear(input: Readable | string, options: Partial<SuppressOptions> = {}) {
      const { out, said, result } = listening()
      const file = typeof input === 'string' ? Readable.from([input]) : input
      const code = await suppress(store, { file, format: 'csv', linkKey, ...options }, out)
      return { code, said: said.join('\n'), result: result() }
    },
    async gone() {
      const found: Record<string, string> = {}
      for await (const { email, standing } of store.list.stream({ standing: 'all' }))
        if (standing !== 'subscribed') found[email.split('@')[0] ?? ''] = standing
      return found
    },
  }
}

const linkOf = (email: string) =>
  `https://example.org/unsubscribe/${unsubscribeTokens(linkKey).sign(ids.of(email))}`

interface Bounce {
  readonly action?: string
  readonly status?: string
  readonly diagnosis?: string
  readonly recipient?: string
  /** The headers of the message that came back. */
  readonly returned?: string
  readonly type?: string
}

const ours = (email: string) =>
  `From: team@example.org\r\nTo: ${email}\r\nSubject: We are live\r\nList-Unsubscribe:\r\n <${linkOf(email)}>\r\n`

/** What a mail server sends when it cannot deliver, as RFC 3464 has it. */
function bounce({
  action = 'failed',
  status = '5.1.1',
  diagnosis = 'smtp; 550 5.1.1 <ada@example.com>: no such user\r\n  here',
  recipient = 'ada@example.com',
  returned = ours('ada@example.com'),
  type = 'text/rfc822-headers',
}: Bounce = {}): string {
  return `Return-Path: <>
From: MAILER-DAEMON@mx.example
To: bounces@example.org
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
 boundary="b1"

--b1
Content-Type: text/plain

It could not be delivered.
--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example
Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000

Final-Recipient: rfc822; ${recipient}
Action: ${action}
Status: ${status}
Diagnostic-Code: ${diagnosis}

--b1
Content-Type: ${type}

${returned}
--b1--
`.replace(/\r?\n/g, '\r\n')
}

/** What a provider sends when somebody complains, as RFC 5965 has it. */
function complaint({
  type = 'abuse',
  to = 'ada@example.com',
  of = 'ada@example.com',
} = {}): string {
  return `From: feedback@provider.example
To: abuse@example.org
Subject: FW: We are live
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b2"

--b2
Content-Type: text/plain

An abuse report.
--b2
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: Provider-FBL/1.0
Version: 1

--b2
Content-Type: message/rfc822
Content-Disposition: inline

${ours(of).replace(`To: ${of}`, `To: ${to}`)}
We are live.
--b2--
`.replace(/\r?\n/g, '\r\n')
}

describe("a provider's list", () => {
  it.each([
    ['sendgrid.csv', { ada: 'bounced' }],
    ['mailgun.csv', { ada: 'bounced' }],
    ['ses.csv', { ada: 'bounced', bob: 'complained' }],
    ['postmark.csv', { ada: 'bounced', bob: 'complained', cleo: 'unsubscribed' }],
    ['brevo.csv', { ada: 'bounced', cleo: 'complained', dan: 'unsubscribed' }],
  ])('is taken over where it is for good: %s', async (name, expected) => {
    const { store, hear, gone } = await listOfFour()
    const open = () => createReadStream(join(import.meta.dirname, 'bounces', name))
    const dry = await hear(open(), { dryRun: true })
    expect(dry.said).toContain('Nothing was changed.')
    expect(await gone()).toEqual({})
    expect(await hear(open())).toMatchObject({ code: exitCodes.done, result: '' })
    expect(await gone()).toEqual(expected)
    // With the reason, which names no address.
    if (name === 'sendgrid.csv')
      expect((await store.standings.of('ada@example.com'))?.detail).toContain(
        '5.1.1 The email account',
      )
  })

  it('may say nothing of the reason: then the operator does', async () => {
    const { store, hear, gone } = await listOfFour()
    const text = 'address,created_at\nada@example.com,"Fri, 21 Oct 2011 11:02:55 GMT"\n'
    const untold = await hear(text)
    expect(untold.code).toBe(exitCodes.partly)
    expect(untold.result).toMatch(/^line 2: no reason is given: add --as/)
    // That somebody is on the other list is no reason.
    expect((await hear('email,status\nada@example.com,active\n')).result).toBe(untold.result)
    await hear(text, { as: 'complained' })
    expect(await gone()).toEqual({ ada: 'complained' })
    expect((await store.standings.of('ada@example.com'))?.at).toEqual(
      new Date('2011-10-21T11:02:55Z'),
    )
  })

  it('of JSON may be as the command line of Amazon prints it', async () => {
    const { hear, gone } = await listOfFour()
    const SuppressedDestinationSummaries = [
      { EmailAddress: 'ada@example.com', Reason: 'BOUNCE', LastUpdateTime: '2026-01-02T00:00:00Z' },
    ]
    await hear(JSON.stringify({ SuppressedDestinationSummaries }), { format: 'json' })
    expect(await gone()).toEqual({ ada: 'bounced' })
  })

  it('bounces nobody whom a block list or a full mailbox kept from us, and unsubscribes nobody', async () => {
    const { hear, gone } = await listOfFour()
    const postmark =
      'EmailAddress,Type,TypeCode,Details,BouncedAt,Description\n' +
      'ada@example.com,Blocked,100006,smtp;554 The sender is on a block list,2026-01-01T10:00:00Z,ISP block\n' +
      'bob@example.com,SpamNotification,512,smtp;550 5.7.1 spam content,2026-01-01T10:00:00Z,blocked by the user\n'
    const sendgrid =
      'status,reason,email,created\n' +
      '5.0.0,"554 Blocked - see https://ipcheck.example.org",cleo@example.com,1789123530\n' +
      '5.2.2,"552 5.2.2 mailbox full",dan@example.com,1789123530\n'
    for (const file of [postmark, sendgrid])
      expect(await hear(file)).toMatchObject({ code: exitCodes.done, result: '' })
    expect(await gone()).toEqual({})
  })
})

it('says how many are full, and of whom a provider refused many, and takes a bounce back', async () => {
  const { store, hear, gone } = await listOfFour()
  await hear('email,reason\nada@example.com,552 5.2.2 mailbox full\n')
  const full = (day: number) =>
    `email,reason,created\nada@example.com,552 5.2.2 mailbox full,2026-01-0${day}T10:00:00Z\n`
  expect((await hear(full(2))).said).toContain('1 full, which counts at the third')
  expect((await hear(full(2))).said).toContain('1 full')
  expect((await hear(full(3))).said).toContain('1 full')
  expect((await hear(full(4))).said).toMatch(/^1 bounced/)
  expect(await gone()).toEqual({ ada: 'bounced' })
  const { out, result } = listening()
  expect(await undoBounce(store.refusals, 'ADA@example.com', out)).toBe(exitCodes.done)
  expect(result()).toBe('ada@example.com gets letters again.\n')
  expect(await gone()).toEqual({})
  await expect(undoBounce(store.refusals, 'ada@example.com', out)).rejects.toThrow('not known as')

  const many = Array.from({ length: 30 }, (_, i) => `person${i}@one.org`)
  await store.list.importAll(many.map((email) => ({ email, subscribedAt: new Date(0) })))
  const file = `email,reason\n${many.map((email) => `${email},550 5.1.1 User unknown\n`).join('')}`
  expect((await hear(file)).said).toMatch(
    /^0 bounced.*\nLOOK: one\.org refused letters to 30 of your 30/,
  )
  expect(await gone()).toEqual({})
  // The operator has looked, and knows better.
  expect((await hear(`email\n${many.join('\n')}\n`, { as: 'bounced' })).said).toMatch(/^30 bounced/)
})

describe('a message from a mail server', () => {
  it('that came back for good ends the letters, with the reason and without the address', async () => {
    for (const type of ['text/rfc822-headers', 'message/rfc822']) {
      const { store, hear, gone } = await listOfFour()
      expect(await hear(bounce({ type }))).toMatchObject({
        code: exitCodes.done,
        said: expect.stringMatching(/^1 bounced, 0 complained/),
      })
      expect(await gone()).toEqual({ ada: 'bounced' })
      const { detail = '' } = (await store.standings.of('ada@example.com')) ?? {}
      expect(detail).toMatch(/^550 5\.1\.1 .* no such user\s+here$/)
      expect(detail).not.toContain('@')
    }
  })

  it('that is only late, or about the sender, ends nothing', async () => {
    const { hear, gone } = await listOfFour()
    for (const report of [
      { action: 'delayed', status: '4.4.7' },
      { action: 'delayed', status: '5.1.1' },
      { action: 'failed', status: '4.2.2', diagnosis: 'smtp; 452 4.2.2 full' },
      { action: 'failed', status: '5.7.1', diagnosis: 'smtp; 550 5.7.1 not here' },
      { action: 'relayed', status: '2.0.0' },
    ])
      expect(await hear(bounce(report))).toMatchObject({ code: exitCodes.done })
    expect(await gone()).toEqual({})
  })

  it('whose diagnosis is about the sender ends nothing, whatever its status', async () => {
    const { hear, gone } = await listOfFour()
    for (const status of ['5.0.0', '5.1.1'])
      await hear(bounce({ status, diagnosis: 'smtp; 550 5.7.1 blocked using zen.example.org' }))
    // It reached one of those to whom the mail was passed on.
    const [one = '', other = ''] = [bounce(), 'Final-Recipient: rfc822; x@y.z\r\nAction: delivered']
    await hear(one.replace('\r\n--b1\r\nContent-Type: text/rfc822', `\r\n${other}\r\n$&`))
    expect(await gone()).toEqual({})
    await hear(bounce({ status: '5.0.0' }))
    expect(await gone()).toEqual({ ada: 'bounced' })
  })

  it('counts for whom the link in it was made, wherever the mail was passed on to', async () => {
    const { hear, gone } = await listOfFour()
    await hear(bounce({ recipient: 'bob@example.com' }))
    expect(await gone()).toEqual({ ada: 'bounced' })
  })

  it('is not believed without a link of ours, unless the operator says so', async () => {
    const { hear, gone } = await listOfFour()
    const forged = linkOf('ada@example.com').replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const lies = [
      bounce({ returned: 'From: team@example.org\r\nTo: ada@example.com\r\n' }),
      bounce({ returned: `To: ada@example.com\r\nList-Unsubscribe: <${forged}>\r\n` }),
      // In the text, where anybody may have put what they were sent.
      bounce({ returned: `To: ada@example.com\r\n\r\n${linkOf('ada@example.com')}` }),
    ]
    for (const lie of lies) {
      const { code, result } = await hear(lie)
      expect({ code, result }).toMatchObject({
        code: 0,
        result: expect.stringContaining('no unsub'),
      })
    }
    expect(await gone()).toEqual({})
    await hear(lies[0] ?? '', { withoutProof: true })
    expect(await gone()).toEqual({ ada: 'bounced' })
    // The report alone, with nothing of the message that came back.
    await hear(bounce({ recipient: 'bob@example.com', returned: '' }), { withoutProof: true })
    expect(await gone()).toEqual({ ada: 'bounced', bob: 'bounced' })
  })

  it('of a complaint ends the letters, also where it hides the address', async () => {
    const { store, hear, gone } = await listOfFour()
    await hear(complaint({ type: 'not-spam' }))
    expect(await gone()).toEqual({})
    await hear(complaint({ to: 'redacted@provider.example' }))
    expect(await gone()).toEqual({ ada: 'unsubscribed' })
    await hear(complaint())
    expect(await gone()).toEqual({ ada: 'complained' })
    expect(await store.standings.of('ada@example.com')).toMatchObject({
      detail: 'abuse, reported by Provider-FBL/1.0',
    })
  })

  it('of any other kind, broken or endless, does nothing', async () => {
    const { hear, gone } = await listOfFour()
    const nested = `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n`.repeat(2000)
    for (const message of [
      'Subject: Out of office\r\n\r\nBack on Monday.\r\n',
      'From MAILER-DAEMON Fri Nov 20 10:00:00 2026\nSubject: x\n\n',
      `X: ${'y'.repeat(3_000_000)}`,
      nested,
      complaint({ type: 'constructor' }),
    ])
      expect(await hear(message)).toMatchObject({ code: exitCodes.done })
    expect(await gone()).toEqual({})
  })

  it('is read to its end, and kept only as far as the report goes', async () => {
    const { hear, gone } = await listOfFour()
    const chunk = Buffer.alloc(1 << 20, 'picture\r\n')
    let sent = 0
    async function* endless() {
      yield Buffer.from(
        `From x Fri Nov 20 10:00:00 2026\n${bounce({ type: 'message/rfc822' }).replace(/--b1--\s*$/, '')}`,
      )
      for (; sent < 600; sent += 1) yield chunk
      yield Buffer.from(
        `\n\nFrom x Fri Nov 20 10:00:00 2026\n${complaint({ of: 'bob@example.com', to: 'bob@example.com' })}`,
      )
    }
    // Far more goes through than stands in memory until it is collected.
    const before = process.memoryUsage.rss()
    expect((await hear(Readable.from(endless()))).said).toMatch(/^1 bounced, 1 complained/)
    expect(sent).toBe(600)
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 << 20)
    expect(await gone()).toEqual({ ada: 'bounced', bob: 'complained' })
  })
})

describe('addresses that are unsubscribed by hand', () => {
  it('are written to no more, on the list or not, until they sign up again', async () => {
    const { store, gone } = await listOfFour()
    const { out, result } = listening()
    await unsubscribe(store, { emails: ['ADA@example.com', 'new@example.com'] }, out)
    expect(result()).toBe(
      'ada@example.com gets no more letters.\nnew@example.com is not on the list. It is kept as unsubscribed, in case it is imported.\n',
    )
    expect(await gone()).toEqual({ ada: 'unsubscribed' })
    await store.list.importAll([{ email: 'new@example.com', subscribedAt: new Date(0) }])
    expect(await gone()).toEqual({ ada: 'unsubscribed', new: 'unsubscribed' })
    await store.list.add('ada@example.com')
    expect(await gone()).toEqual({ new: 'unsubscribed' })
  })

  it('are all of them addresses, or nothing is done', async () => {
    const { store, gone } = await listOfFour()
    const emails = ['ada@example.com', 'bob']
    await expect(unsubscribe(store, { emails }, listening().out)).rejects.toThrow('"bob" is not')
    expect(await gone()).toEqual({})
  })
})
