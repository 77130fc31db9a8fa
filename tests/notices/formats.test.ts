import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import product from '../../product.config.ts'
import {
  discordFormat,
  type Format,
  slackFormat,
  webhookFormat,
} from '../../src/notices/formats.ts'
import { noticeLetter } from '../../src/notices/mail-place.ts'
import type { Notice } from '../../src/store/notices.ts'
import { nothingHeld } from '../fixtures/held-letters.ts'

const options = { product: 'Meridian' }
// Times are in the zone of the process.
beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'))
afterAll(() => void vi.unstubAllEnvs())
const at = new Date('2026-03-01T08:00:00.000Z')
const notice = (type: Notice['type'], data: object, number = 1): Notice => ({
  id: `evt_${number}`,
  type,
  at,
  data: { ...data },
})
const day = notice('day.ended', {
  day: '2026-03-01',
  from: '2026-02-28T08:00:00.000Z',
  to: at.toISOString(),
  signUps: 1234,
  subscribers: 5678,
  quarantined: 9,
  visits: 20_000,
})
const message = (notices: readonly Notice[]) => ({ id: 'msg_1', notices })
const written = (format: Format, notices: readonly Notice[]) =>
  JSON.parse(format(message(notices), options))
describe('for Slack', () => {
  it('a day is a heading and plain text', () => {
    const { text, blocks } = written(slackFormat, [day])
    const title = 'Meridian: 1,234 sign-ups in a day'
    expect(text.split('\n')[0]).toBe(title)
    expect(blocks[0]).toEqual({
      type: 'header',
      text: { type: 'plain_text', emoji: false, text: title },
    })
    const [, section] = blocks
    expect(section.text.text).toContain('28 February, 09:00 CET to 1 March, 09:00 CET.')
    expect(section.text.text).toContain('20,000 first visits, 6.2 % of them signed up.')
  })

  it('shows no previews of links', () => {
    expect(written(slackFormat, [day])).toMatchObject({ unfurl_links: false, unfurl_media: false })
  })

  it('escapes the name of a product where Slack reads mark-up', () => {
    const text = slackFormat(message([day]), { ...options, product: 'A <!channel> & B' })
    expect(JSON.parse(text).text).toMatch(/^A &lt;!channel&gt; &amp; B: /)
  })
})

describe('for Discord', () => {
  it('nobody is mentioned, and no link is shown', () => {
    const body = written(discordFormat, [day])
    expect(body).toMatchObject({ allowed_mentions: { parse: [] }, flags: 4 })
    expect(body.content).toContain('**Meridian\\: 1,234 sign\\-ups in a day**')
  })

  it('a long message is cut within 2,000 characters', () => {
    const many = Array.from({ length: 50 }, () => day)
    const { content } = written(discordFormat, many)
    expect(content.length).toBeLessThanOrEqual(2000)
    expect(content).toMatch(/…$/)
  })
})

describe('for any receiver', () => {
  it('a message has one form, whatever it tells of', () => {
    const first = notice('subscribers.reached', { number: 1, subscribers: 1 })
    expect(written(webhookFormat, [first])).toEqual({
      type: 'notices',
      timestamp: at.toISOString(),
      data: {
        product: 'Meridian',
        notices: [
          {
            id: 'evt_1',
            type: 'subscribers.reached',
            timestamp: at.toISOString(),
            data: { number: 1, subscribers: 1 },
          },
        ],
      },
    })
    expect(written(webhookFormat, [first, day]).data.notices).toHaveLength(2)
  })
})

describe('in words', () => {
  const inWords = (one: Notice) => {
    const { text, blocks } = written(slackFormat, [one])
    return `${text}\n${blocks[1].text.text}`
  }
  const since = '2026-03-01T08:00:00.000Z'

  it.for([
    ['subscribers.reached', { number: 1 }, /the first sign-up\n[\s\S]*The list has begun\./],
    [
      'subscribers.reached',
      { number: 10_000 },
      /10,000 sign-ups\n[\s\S]*The list has reached 10,000\./,
    ],
    [
      'alarm.began',
      { alarm: 'store', since },
      /the database cannot be reached\nSince 1 March, 09:00[\s\S]*Nobody can sign up meanwhile/,
    ],
    ['alarm.goes_on', { alarm: 'store', since }, /the database cannot be reached, for a day now/],
    ['alarm.ended', { alarm: 'store', since, until: '2026-03-01T10:30:00Z' }, /to 1 March, 11:30/],
    ['alarm.began', { alarm: 'backup', since, last: null, hours: 80 }, /No back-up was ever made/],
    ['alarm.began', { alarm: 'backup', since, last: since, hours: 80 }, /is 80 hours old/],
    [
      'alarm.began',
      { alarm: 'backup', since, last: null, hours: 80, command: 'sudo x backup --keep 7,4,12' },
      /To make one: sudo x backup --keep 7,4,12/,
    ],
    [
      'alarm.began',
      { alarm: 'backup', since, why: 'rehearsal-failed', command: 'sudo x backup --rehearse' },
      /a back-up could not be restored\n[\s\S]*what differs: sudo x backup --rehearse/,
    ],
    [
      'alarm.goes_on',
      { alarm: 'backup', since, why: 'rehearsal-overdue', command: 'sudo x backup --rehearse' },
      /no back-up was tested lately, for a day now\n[\s\S]*To test one: sudo x backup --rehearse/,
    ],
    [
      'alarm.ended',
      { alarm: 'backup', since, until: since, why: 'rehearsal-failed' },
      /a back-up was tested, and came back as it was/,
    ],
    [
      'alarm.began',
      { alarm: 'quarantine', since, number: 250 },
      /the quarantine is filling up\n[\s\S]*250 sign-ups with signs/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'x', eligible: 2000, sent: 7, queued: 1993 },
      /goes on\.\n7 sent of 2,000 people, 1,993 queued\.\nTo see/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'x', why: 'ended' },
      /goes on\.\nTo see/,
    ],
    [
      'alarm.began',
      { alarm: 'letters', since, held: { ...nothingHeld, 'hidden-field': 50 } },
      /confirmation letters wait\n[\s\S]*50 confirmation letters wait, because a program[\s\S]*outbox --release hidden-field/,
    ],
    [
      'alarm.began',
      { alarm: 'events', since, people: 1200, held: 7, failure: '503' },
      /events do not arrive\n[\s\S]*1,200 people wait, and those of 7 are held\. The receiver: 503\.[\s\S]*events$/m,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch' },
      /the announcement stopped\n[\s\S]*deliveries launch/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'unready' },
      /since the pre-flight found a problem/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'cut-off' },
      /Its process has ended without a reason[\s\S]*deliveries launch/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'fault' },
      /since an error ended it/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'ended' },
      /It was ended from outside/,
    ],
    ...(
      [
        ['failing', 'too many letters failed'],
        ['leaving', 'too many unsubscribed or complained'],
        ['unreachable', 'the mail server failed again and again'],
        ['deferring', 'the mail server puts everybody off'],
        ['unusable', 'the mail server does not let us send'],
      ] as const
    ).map(
      ([why, words]) =>
        [
          'alarm.began',
          { alarm: 'announcement', since, announcement: 'launch', why },
          new RegExp(`It stopped by itself, since ${words}\\.`),
        ] as const,
    ),
    ['test', {}, /notices arrive here/],
  ] as const)('%s of %o is said plainly', ([type, data, words]) => {
    expect(inWords(notice(type, data))).toMatch(words)
  })

  it.for([
    [{ lastBackup: null, lastRehearsal: null }, 'No back-up was ever made.'],
    [
      { lastBackup: since, lastRehearsal: null },
      'Last back-up: 1 March, 09:00 CET.\nNo test of a back-up succeeded yet.',
    ],
    [
      { lastBackup: since, lastRehearsal: '2026-02-22T03:40:00Z' },
      'Last back-up: 1 March, 09:00 CET.\nLast successful test of a back-up: 22 February, 04:40 CET.',
    ],
    [
      { lastBackup: since, lastRehearsal: '2026-02-22T03:40:00Z', rehearsalFailed: since },
      'back-up: 22 February, 04:40 CET. The last test failed: 1 March, 09:00 CET.',
    ],
  ] as const)('a day says of back-ups %o the same to everybody', ([backups, words]) => {
    const one = notice('day.ended', { ...day.data, backups })
    expect(inWords(one)).toContain(words)
    expect(written(webhookFormat, [one]).data.notices[0].data).toMatchObject({ backups })
    expect(written(discordFormat, [one]).content).toContain(words)
    const [to, from] = ['founder@example.com', 'Meridian <hello@example.org>']
    const letter = noticeLetter(message([one]), { product, to, from })
    expect(letter.text).toContain(words)
    expect(letter.html).toContain(words.replaceAll('\n', '<br>\n'))
  })

  it.for([
    ['store', 'the database is back'],
    ['backup', 'there is a new back-up'],
    ['quarantine', 'the quarantine has stopped filling up'],
    ['letters', 'no confirmation letters wait any more'],
    ['announcement', 'the announcement went on'],
    ['events', 'events arrive again'],
    ['retention', 'the list is erased'],
  ])('that the alarm of %s is over is said in a line', ([alarm, words]) => {
    const over = notice('alarm.ended', { alarm, since, until: '2026-03-01T10:30:00Z' })
    const [title, ...lines] = inWords(over).split('\n')
    expect(title).toBe(`Meridian: ${words}`)
    const meanwhile = 'Visitors who tried to sign up meanwhile were asked to try again.'
    expect(lines.slice(lines.length / 2)).toEqual([
      'From 1 March, 09:00 CET to 1 March, 11:30 CET.',
      ...(alarm === 'store' ? [meanwhile] : []),
    ])
  })

  it('a day says nothing of back-ups that are not ours', () => {
    expect(inWords(day)).not.toMatch(/back-up/)
  })

  it('one of a later version is said to be that', () => {
    for (const later of [
      notice('alarm.began', { alarm: 'flood' }),
      notice('alarm.ended', { alarm: 'constructor' }),
      notice('week.ended' as Notice['type'], {}),
    ])
      expect(inWords(later)).toMatch(/^Meridian: a notice of a later version/)
  })

  it('several are one message', () => {
    const two = [notice('subscribers.reached', { number: 1 }), day]
    expect(written(slackFormat, two)).toMatchObject({
      text: expect.stringMatching(/the first sign-up\n[\s\S]*\n\nMeridian: 1,234 sign-ups/),
      blocks: [{}, {}, {}, {}],
    })
  })
})
