import { describe, expect, it, vi } from 'vitest'
import product from '../../product.config.ts'
import { inviting } from '../../src/announcement/inviting.ts'
import { invitationCodes } from '../../src/keys/invitation-codes.ts'
import { messages } from '../../src/mail/letter/message.ts'
import type { Mailer, Message } from '../../src/mail/mailer.ts'
import { AnotherKey, type Invitation } from '../../src/store/invitations.ts'
import { deliveryLine } from '../../src/terminal/delivery-line.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import type { Behaviour } from '../fixtures/relay.ts'
import { listening } from '../fixtures/spoken.ts'
import { setStage } from '../fixtures/stage.ts'
import { person } from '../store/contracts/people.ts'

const codes = invitationCodes(Buffer.alloc(32, 9), 'test')
const days = 30

async function stage(count: number, behaviour?: (address: string) => Behaviour) {
  const { store, relay, ...others } = await setStage(count, behaviour)
  const message = messages({
    product,
    linkKey,
    logo: Buffer.from('png'),
    announcement: 'launch',
    unsubscribeUrl: 'http://127.0.0.1/unsubscribe',
    letter: {
      subject: 'Ready',
      preview: '',
      from: 'team@example.org',
      replyTo: undefined,
      markdown: 'https://app.example.com/join?code={{invitation}}',
      invitationDays: days,
    },
  })
  const letter = inviting({
    store: store.invitations,
    codes,
    linkKey,
    announcement: 'launch',
    days,
    message,
  })
  const tried: Message[] = []
  const mailer: Mailer = {
    ...others.mailer,
    async send(mail) {
      tried.push(mail)
      return others.mailer.send(mail)
    },
  }
  /** The codes in every try of a letter to an address. */
  const codesTo = (email: string) =>
    tried
      .filter(({ to }) => to === email)
      .flatMap(({ html, text }) => [...`${html} ${text}`.matchAll(/code=([\w-]{122})\b/g)])
      .map(([, code = '']) => code)
  const kept = async () => {
    const found: Invitation[] = []
    for await (const one of store.invitations.stream()) found.push(one)
    return found
  }
  const run = (options = {}) => others.run({ mailer, message: letter, ...options })
  return { ...others, store, relay, letter, codesTo, kept, run, tried }
}

describe('an announcement that lets people in', () => {
  it('gives everybody a code of their own, for their address, and notes it before it leaves', {
    tags: 'thorough',
  }, async () => {
    const { run, relay, kept } = await stage(12)
    const end = await run({ first: () => 5 })
    expect(end.balance.tally).toMatchObject({ sent: 5, queued: 7 })
    expect(await kept()).toHaveLength(5)
    expect((await run()).balance).toMatchObject({ holds: true, tally: { sent: 12 } })
    const all = await kept()
    expect(all).toHaveLength(12)
    const given = new Set<string>()
    for (const { email, id, expiresAt, addressId } of all) {
      expect(addressId).toBe(ids.of(email))
      const { html = '', text = '' } = await relay.messageTo(email)
      const [, code = ''] = /code=([\w-]{122})\b/.exec(text) ?? []
      expect(html).toContain(`href="https://app.example.com/join?code=${code}"`)
      expect(codes.read(code, email)).toEqual({ id, expiresAt })
      const left = expiresAt.getTime() - Date.now()
      expect(Math.abs(left - days * 86_400_000)).toBeLessThan(60_000)
      given.add(code)
    }
    expect(given.size).toBe(12)
  })

  it('gives nobody two codes, however often a letter is tried', async () => {
    const tries = new Map<string, number>()
    const { run, codesTo, kept } = await stage(6, (to) => {
      tries.set(to, (tries.get(to) ?? 0) + 1)
      if (to === person(2).email && (tries.get(to) ?? 0) < 3) return 'defer-after-dot'
      return to === person(3).email ? 'drop-after-dot' : 'accept'
    })
    const end = await run()
    expect(end.balance).toMatchObject({ holds: true })
    const before = await kept()
    await run({ retry: 'uncertain' })
    expect(await kept()).toEqual(before)
    for (const n of [2, 3]) {
      const theirs = codesTo(person(n).email)
      expect(theirs.length).toBeGreaterThan(2)
      expect(new Set(theirs).size).toBe(1)
    }
  })

  it('stops at a new key: nobody gets a code by the old one, and nobody has had a try', async () => {
    const { run, store, oneByOne, inboxes, tried } = await stage(6)
    const another = invitationCodes(Buffer.alloc(32, 10), 'test').publicKey
    await store.invitations.setKey(codes.publicKey)
    const mailer = oneByOne(async (to) => {
      if (to === person(2).email) await store.invitations.setKey(another)
    })
    await expect(run({ mailer })).rejects.toThrow(AnotherKey)
    const sent = inboxes().length
    expect(sent).toBe(2)
    expect(await store.ledger.tally('launch')).toMatchObject({
      sent,
      queued: 6 - sent,
      untried: 6 - sent,
      failed: 0,
      uncertain: 0,
      sending: 0,
    })
    await store.invitations.setKey(codes.publicKey)
    expect((await run()).balance).toMatchObject({ holds: true, tally: { sent: 6 } })
    expect(tried.map(({ to }) => to).toSorted()).toEqual(inboxes().slice(sent).toSorted())
  })

  it('sends no second letter to whose invitation has ended, and accounts for them for good', async () => {
    const [redeemed, revoked] = [person(2).email, person(3).email]
    const { run, store, inboxes, kept, tried } = await stage(3, (to) =>
      to === person(1).email ? 'accept' : 'drop-after-dot',
    )
    expect((await run()).balance.tally).toMatchObject({ sent: 1, uncertain: 2 })
    for (const { id, email } of await kept())
      if (email === redeemed) await store.invitations.end(id, 'redeemed')
      else if (email === revoked) await store.invitations.end(id, 'revoked')
    const before = tried.length
    const retried = await run({ retry: 'uncertain' })
    expect(retried.balance).toMatchObject({ holds: true, tally: { sent: 2, suppressed: 1 } })
    expect(await store.ledger.suppressedAs('launch')).toMatchObject({ revoked: 1, told: 0 })
    expect(await store.ledger.deliveriesTo(redeemed)).toMatchObject([
      { status: 'sent', answer: 'their invitation was redeemed' },
    ])
    const [row] = await store.ledger.deliveriesTo(revoked)
    if (!row) throw new Error('they have a row')
    expect(deliveryLine(row, listening().out)).toMatch(/suppressed .*invitation revoked\n$/)
    // A later announcement leaves them out as told; and no run brings back who is accounted for.
    expect(await store.ledger.toldAmong(['launch'], [redeemed])).toEqual(new Set([redeemed]))
    expect((await run({ alsoWhoGot: 'all' })).balance.tally).toMatchObject({ queued: 0 })
    expect(tried).toHaveLength(before)
    expect(inboxes()).toEqual([person(1).email])
  })

  it('gives none to who unsubscribed, left or is quarantined, nor to who is forgotten on the way', async () => {
    const gone = person(4).email
    const { run, store, kept, inboxes, oneByOne } = await stage(6)
    await store.standings.unsubscribe(ids.of(person(1).email))
    await store.standings.set([{ email: person(2).email, standing: 'bounced' }])
    await store.list.add('robot@example.com', { suspicion: 'hidden-field' })
    const mailer = oneByOne(async (to) => {
      if (to === person(3).email) await store.standings.forget(gone)
    })
    const end = await run({ mailer })
    expect(end.balance.holds).toBe(true)
    const emails = (await kept()).map(({ email }) => email).toSorted()
    expect(emails).toEqual(inboxes().toSorted())
    for (const email of [person(1).email, person(2).email, gone, 'robot@example.com'])
      expect(emails).not.toContain(email)
  })

  it('moves the end of the same invitation where half of its time is over, and sends no dead one', async () => {
    const { letter, store, kept } = await stage(1)
    const [{ email }] = [person(1)]
    const recipient = { addressId: ids.of(email), email }
    const codeOf = async () => {
      const made = await letter(recipient)
      const [, code = ''] =
        /code=([\w-]{122})/.exec('message' in made ? made.message.text : '') ?? []
      return code
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      vi.setSystemTime('2027-01-01T12:00:00.789Z')
      const first = await codeOf()
      vi.setSystemTime('2027-01-16T11:59:00Z')
      expect(await codeOf()).toBe(first)
      vi.setSystemTime('2027-01-16T12:01:00Z')
      const second = await codeOf()
      expect(codes.read(second, email)).toEqual({
        ...codes.read(first, email),
        expiresAt: new Date('2027-02-15T12:01:00Z'),
      })
      const [{ id } = { id: '' }] = await kept()
      await store.invitations.end(id, 'revoked')
      expect(await letter(recipient)).toEqual({ leftOut: 'revoked' })
    } finally {
      vi.useRealTimers()
    }
  })
})
