import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { smtpUrl } from '../../src/config/parse.ts'
import { MailerUnusable, type Message } from '../../src/mail/mailer.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import type { SmtpTimeouts } from '../../src/mail/smtp-session.ts'
import { parseEmail } from '../../src/shared/email.ts'
import { UNMAILABLE } from '../../src/shared/mailable.ts'
import { endless, startHostileRelay, trickle } from '../fixtures/hostile-relay.ts'
import { startLimitedRelay } from '../fixtures/limited-relay.ts'
import { type Behaviour, type Relay, startRelay } from '../fixtures/relay.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

describe('the SMTP mailer', () => {
  it('says accepted once the server said yes, with the message as it was given', async () => {
    const { mailer, relay } = await setUp('accept')
    const outcome = await mailer.send({ ...letter, headers: { 'List-Unsubscribe': '<https://x>' } })
    expect(outcome).toEqual({ kind: 'accepted', answer: '250 2.0.0 queued' })
    const received = await relay.messageTo('ada@example.com')
    expect(received).toMatchObject({
      subject: 'We are live',
      messageId: '<one@example.org>',
      from: { address: 'team@example.org', name: 'The team' },
      to: [{ name: '', address: 'ada@example.com' }],
      html: expect.stringContaining('<p>Hello</p>'),
      text: expect.stringContaining('Hello'),
      attachments: [{ contentId: '<mark>', mimeType: 'image/png', disposition: 'inline' }],
    })
    expect(received.headers).toContainEqual(
      expect.objectContaining({ key: 'list-unsubscribe', value: '<https://x>' }),
    )
  })

  const cases: [Behaviour, string, string][] = [
    ['refuse', 'refused', 'a recipient that the server does not know'],
    ['refuse-after-dot', 'refused', 'a message that the server read and does not want'],
    ['defer', 'deferred', 'a recipient that the server wants to see again later'],
    ['defer-after-dot', 'deferred', 'a message that the server has no room for now'],
    ['unready', 'deferred', 'a server that is confused at a recipient, which says nothing of them'],
    ['unready-after-dot', 'deferred', 'a server that is confused at the message'],
    ['drop-at-recipient', 'unsent', 'a connection lost before the message'],
    ['drop-after-dot', 'uncertain', 'a connection lost after the final dot'],
    ['stall-after-dot', 'uncertain', 'a server that falls silent after the final dot'],
  ]
  for (const [behaviour, kind, what] of cases)
    it(`says ${kind} for ${what}`, async () => {
      const { mailer } = await setUp(behaviour)
      expect(await mailer.send(letter)).toMatchObject({ kind })
    })

  it('says unsent for a connection lost in the middle of a message', async () => {
    const { mailer } = await setUp('drop-before-dot')
    const long = { ...letter, html: 'x'.repeat(20_000_000) }
    expect(await mailer.send(long)).toMatchObject({ kind: 'unsent' })
  })

  it('says unsent when there is no server', async () => {
    const { mailer, relay } = await setUp('accept')
    await relay.close()
    expect(await mailer.send(letter)).toMatchObject({ kind: 'unsent' })
    await expect(mailer.check()).rejects.toThrow('127.0.0.1: ')
  })

  it('says unusable when the server does not take our sender', async () => {
    const { mailer } = await setUp('refuse-sender')
    expect(await mailer.send(letter)).toMatchObject({ kind: 'unusable' })
  })

  it('says unusable, and fails its check, when the server does not take our password', async () => {
    const relay = await startRelay(undefined, { user: 'us', pass: 'right' })
    closers.push(() => relay.close())
    const mailer = mailerFor(relay.url.replace('right', 'wrong'))
    expect(await mailer.send(letter)).toMatchObject({ kind: 'unusable' })
    await expect(mailer.check()).rejects.toThrow('wrong password')
    expect((await mailerFor(relay.url).check()).roundTripMs).toBeGreaterThan(0)
  })

  it('tells its password to no other machine in the clear', async () => {
    const relay = await startRelay(undefined, { user: 'us', pass: 'right' })
    closers.push(() => relay.close())
    // This machine by a name that does not say so.
    const elsewhere = mailerFor(relay.url.replace('127.0.0.1', '0.0.0.0'))
    await expect(elsewhere.check()).rejects.toThrow('0.0.0.0: ')
    expect(await elsewhere.send(letter)).toMatchObject({ kind: 'unsent' })
    expect(relay.passwords).toEqual([])
    await mailerFor(relay.url).check()
    expect(relay.passwords).toEqual(['right'])
  })

  it('asks for no TLS where there is no password to tell', async () => {
    const { relay, mailer } = await setUp('accept')
    const elsewhere = mailerFor(relay.url.replace('127.0.0.1', '0.0.0.0'))
    for (const one of [mailer, elsewhere])
      expect(await one.send(letter)).toMatchObject({ kind: 'accepted' })
  })

  it('says where answers go, if they go elsewhere', async () => {
    const { mailer, relay } = await setUp('accept')
    await mailer.send({ ...letter, replyTo: 'desk@example.org' })
    expect((await relay.messageTo('ada@example.com')).replyTo).toMatchObject([
      { address: 'desk@example.org' },
    ])
    await mailer.send(letter)
    expect((await relay.messageTo('ada@example.com')).replyTo).toBeUndefined()
  })

  it('has default timeouts, and as many connections as it says', async () => {
    const relay = await startRelay()
    closers.push(() => relay.close())
    const mailer = smtpMailer({ url: relay.url, connections: 2 })
    closers.push(() => mailer.close())
    const sent = Array.from({ length: 6 }, () => mailer.send(letter))
    expect(new Set((await Promise.all(sent)).map(({ kind }) => kind))).toEqual(
      new Set(['accepted']),
    )
    expect(mailer.connections).toBe(2)
    expect(relay.connections()).toBe(2)
  })

  it('lets go of its connections when it is closed', async () => {
    const { mailer, relay } = await setUp('accept')
    await mailer.send(letter)
    expect(relay.open()).toBe(1)
    mailer.close()
    await expect.poll(relay.open).toBe(0)
  })

  it('fails its check with a plain sentence, and what lies behind it', async () => {
    const { mailer, relay } = await setUp('accept')
    await relay.close()
    const failure = await mailer.check().catch((error) => error)
    expect(failure).toBeInstanceOf(MailerUnusable)
    expect(failure.name).toBe('MailerUnusable')
    expect(failure.cause).toMatchObject({ code: expect.stringMatching(/^E/) })
  })

  it('hangs up on a server that talks without end, and says so', async () => {
    const url = await startHostileRelay({ '': endless('\r\n') })
    await expect(mailerFor(url).check()).rejects.toThrow('127.0.0.1: The server talks without end')
  })

  it('hangs up on a server whose answer to one command is longer than any', async () => {
    const long = '\r\n'.repeat(65_000)
    const url = await startHostileRelay({ EHLO: `${long}250 ok\r\n` })
    await expect(mailerFor(url).check()).rejects.toThrow('127.0.0.1: The server talks without end')
  })

  it('does not wait for a server that says a little now and then, and says so', {
    tags: 'thorough',
  }, async () => {
    const url = await startHostileRelay({ EHLO: trickle('250-X-THING\r\n', 20) })
    const mailer = smtpMailer({ url, timeouts: { ...impatient, connect: 500 } })
    closers.push(() => mailer.close())
    await expect(mailer.check()).rejects.toThrow('127.0.0.1: its answer did not end within 1 s')
  })

  it('keeps no program waiting once its check is over', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout')
    const { mailer } = await setUp('accept')
    const before = timers().length
    await mailer.check()
    expect(timers().length).toBeLessThanOrEqual(before)
  })

  it('never sends a second time by itself', async () => {
    const { mailer, relay } = await setUp('drop-after-dot')
    await mailer.send(letter)
    await mailer.send(letter)
    expect(relay.read).toHaveLength(2)
    expect(relay.connections()).toBe(2)
  })

  it('asks a server that hangs up at once only once', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo
    const outcome = await mailerFor(`smtp://127.0.0.1:${port}`).send(letter)
    expect(outcome).toMatchObject({ kind: 'unsent' })
    expect(connections).toBe(1)
  })

  it('keeps connections open from message to message', async () => {
    const { mailer, relay } = await setUp('accept')
    for (let i = 0; i < 5; i += 1) await mailer.send(letter)
    expect(relay.connections()).toBe(1)
  })

  it('never repeats an address in what it reports', async () => {
    const { mailer } = await setUp('refuse')
    expect(await mailer.send(letter)).toMatchObject({ answer: '550 5.1.1 <address> user unknown' })
  })

  it.each([
    'ada@example.com',
    '"ada lovelace"@example.com',
    '" a,b;c:d "@example.com',
    '"a\\\\"@example.com',
    'a=b#d$e&g*h/i?j^k_l{m|n}o~p`q@example.com',
    'é@xn--bcher-kva.example',
    '😀@example.com',
  ])('names the recipient to the server as it was kept, byte for byte: %s', async (to) => {
    const named: string[] = []
    const url = await startHostileRelay({
      EHLO: '250 SMTPUTF8\r\n',
      RCPT: (socket, line) => {
        named.push(Buffer.from(line, 'latin1').toString())
        socket.write('250 ok\r\n')
      },
    })
    expect(parseEmail(to)).toBe(to)
    expect(await mailerFor(url).send({ ...letter, to })).toMatchObject({ kind: 'accepted' })
    expect(named).toEqual([`RCPT TO:<${to}>`])
  })

  it.each([
    ...'"vic<tim"@example.com "vic>tim"@example.com "vic<>tim"@example.com'.split(' '),
    ...'"a"b"@example.com ada%example.com@relay.example'.split(' '),
    ...'example.com!ada@relay.example "ada@example.com"@relay.example'.split(' '),
    ...'root@[127.0.0.1] root@[999.999.999.999]'.split(' '),
    '"a"@evil.example b"@example.com',
    '"a\\"@example.com',
  ])('offers the server no letter that it could not send to that very address: %s', async (to) => {
    const { mailer, relay } = await setUp('accept')
    expect(parseEmail(to)).toBe(to)
    expect(await mailer.send({ ...letter, to })).toEqual({ kind: 'refused', answer: UNMAILABLE })
    for (const broken of ['a\r\nRCPT TO:<b@example.com>@example.com', 'a\0b@example.com'])
      expect(await mailer.send({ ...letter, to: broken })).toMatchObject({ kind: 'refused' })
    expect(relay.connections()).toBe(0)
  })

  it('says how SMTP_URL has to begin where nothing is said, as at a port of TLS', async () => {
    const server = createServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => server.close(resolve)))
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const mailer = smtpMailer({ url, timeouts: { ...impatient, connect: 500 } })
    closers.push(() => mailer.close())
    const words = /says nothing\. If it speaks TLS .* begin SMTP_URL with smtps:\/\/$/
    await expect(mailer.check()).rejects.toThrow(words)
    expect(await mailer.send(letter)).toMatchObject({
      kind: 'unsent',
      answer: expect.stringMatching(words),
    })
  })

  it('says in its check whether the server takes a local part outside ASCII', async () => {
    const { mailer } = await setUp('accept')
    expect(await mailer.check()).toMatchObject({ isAsciiOnly: false })
    const { url } = await startLimitedRelay(() => undefined, { extensions: [] })
    expect(await mailerFor(url).check()).toMatchObject({ isAsciiOnly: true })
  })

  it('knows an SMTP URL, and none whose password hides the server', () => {
    const hidden = ['#', '/', '?'].map((sign) => `smtp://ada:12${sign}34@mail.example.com`)
    for (const url of [
      'smtp://localhost',
      'smtps://a:b%23c@mail.example.com:465',
      'smtp://a:b@c@[::1]:25/',
    ])
      expect(smtpUrl(url), url).toBe(url)
    for (const url of [
      '',
      'mail.example.com',
      'https://mail.example.com',
      'smtp://',
      'xsmtp://a',
      ...hidden,
    ])
      expect(smtpUrl(url), url).toBeUndefined()
  })
})

const letter: Message = {
  from: 'The team <team@example.org>',
  replyTo: undefined,
  to: 'ada@example.com',
  subject: 'We are live',
  html: '<p>Hello</p>',
  text: 'Hello',
  messageId: '<one@example.org>',
  headers: {},
  pictures: [{ cid: 'mark', png: Buffer.from('png') }],
}

async function setUp(behaviour: Behaviour) {
  const relay: Relay = await startRelay(() => behaviour)
  closers.push(() => relay.close())
  return { relay, mailer: mailerFor(relay.url) }
}

/** Long enough for a busy machine; only silence itself is waited for. */
const impatient: SmtpTimeouts = { connect: 20_000, silence: 3_000, message: 20_000 }

function mailerFor(url: string) {
  const mailer = smtpMailer({ url, timeouts: impatient })
  closers.push(() => mailer.close())
  return mailer
}
