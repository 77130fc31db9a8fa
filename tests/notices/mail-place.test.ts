import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import { mailPlace } from '../../src/notices/mail-place.ts'
import type { Notice } from '../../src/store/notices.ts'
import { type Behaviour, startRelay } from '../fixtures/relay.ts'

const now = new Date('2026-03-01T09:00:00.000Z')
const to = 'founder@example.com'
const day: Notice = {
  id: 'evt_1',
  type: 'day.ended',
  at: now,
  data: {
    from: '2026-02-28T09:00:00.000Z',
    to: now.toISOString(),
    signUps: 12,
    subscribers: 345,
    quarantined: 0,
    visits: 100,
  },
}
const message = { id: 'evt_1', notices: [day] }

async function mailbox(behaviour: Behaviour = 'accept') {
  const relay = await startRelay(() => behaviour)
  const timeouts = { connect: 2000, silence: 2000, message: 4000 }
  const mailer = smtpMailer({ url: relay.url, connections: 1, timeouts })
  const place = mailPlace({
    product,
    name: 'mail:one',
    to,
    mailer,
    from: 'Meridian <hello@example.org>',
  })
  onTestFinished(async () => {
    place.close()
    await relay.close()
  })
  return { relay, place }
}

describe('a mailbox', () => {
  it('gets a calm letter, the same with every try', async () => {
    const { relay, place } = await mailbox()
    expect(await place.send(message, now)).toEqual({ kind: 'taken' })
    const letter = await relay.messageTo(to)
    expect(letter).toMatchObject({
      subject: `${product.name}: 12 sign-ups in a day`,
      from: { address: 'hello@example.org' },
      messageId: expect.stringMatching(/^<[\w-]{22}\.notice@example\.org>$/),
    })
    expect(letter.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(letter.text).toContain('345 on the list so far, including those who left since.')
    expect(letter.html).toContain('prefers-color-scheme: dark')
    expect(letter.html).not.toContain('<img')
    expect(letter.attachments).toEqual([])
    const foot = `Sent by the server of ${product.name}, since NOTIFY_MAIL names this address.`
    for (const text of [letter.text, letter.html]) expect(text).toContain(foot)
    await place.send(message, new Date(now.getTime() + 1))
    expect((await relay.messageTo(to)).messageId).toBe(letter.messageId)
  })

  it.for(['refuse', 'defer', 'drop-before-dot', 'drop-after-dot'] as const)(
    'whose server does %s has failed, and its address is not repeated',
    async (behaviour) => {
      const { place } = await mailbox(behaviour)
      const answer = await place.send(message, now)
      expect(answer.kind).toBe('failed')
      expect(JSON.stringify(answer)).not.toContain(to)
      expect(place.label).not.toContain('@')
    },
  )
})
