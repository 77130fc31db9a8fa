import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import product from '../../product.config.ts'
import {
  discordFormat,
  type Format,
  slackFormat,
  webhookFormat,
} from '../../src/notices/formats.ts'
import { noticeLetter } from '../../src/notices/mail-place.ts'
import { nothingHeld } from '../../src/shared/held-letters.ts'
import type { Notice } from '../../src/store/notices.ts'

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
const hostile = [
  '@everyone',
  '@here',
  '<!channel>',
  '<@U123>',
  '<https://evil.example|click>',
  'https://evil.example',
  '[click](https://evil.example)',
  '**bold** _it_ ~x~ ||spoiler||',
  '`code` ```block```',
  '&lt;!channel&gt;',
  'line\nbreak\u202etxt\u0007',
]
const day = notice('day.ended', {
  day: '2026-03-01',
  from: '2026-02-28T08:00:00.000Z',
  to: at.toISOString(),
  signUps: 1234,
  subscribers: 5678,
  quarantined: 9,
  visits: 20_000,
  sources: [['hn', 1000], ...hostile.map((name) => [name, 3])],
})
const message = (notices: readonly Notice[]) => ({ id: 'msg_1', notices })
const written = (format: Format, notices: readonly Notice[]) =>
  JSON.parse(format(message(notices), options))
/** The day, with those who signed up. */
const dayOf = (addresses: readonly string[], moreAddresses: number): Notice => ({
  ...day,
  data: { ...day.data, addresses, moreAddresses },
})
const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(strings)
      : []

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
    expect(section.text.text).toContain('• hn  1,000')
  })

  it('nothing that others wrote mentions anybody or is a link', () => {
    const body = written(slackFormat, [day])
    for (const name of ['hn', ...hostile]) expect(body.text).not.toContain(name)
    for (const { text } of body.blocks) expect(text).toMatchObject({ type: 'plain_text' })
    for (const text of strings(body)) {
      expect(text).not.toMatch(/<[!@#]|<http|https?:\/\//)
      expect(text).not.toMatch(/[^\P{C}\n]/u)
    }
    expect(body).toMatchObject({ unfurl_links: false, unfurl_media: false })
  })

  it('escapes the name of a product where Slack reads mark-up', () => {
    const text = slackFormat(message([day]), { ...options, product: 'A <!channel> & B' })
    expect(JSON.parse(text).text).toMatch(/^A &lt;!channel&gt; &amp; B: /)
  })
})

describe('for Discord', () => {
  it('nobody is mentioned, no link is shown, and what others wrote is code', () => {
    const body = written(discordFormat, [day])
    expect(body).toMatchObject({ allowed_mentions: { parse: [] }, flags: 4 })
    expect(body.content).toContain('**Meridian\\: 1,234 sign\\-ups in a day**')
    const lines: string[] = body.content.split('\n').filter((line: string) => /^•/.test(line))
    expect(lines).toHaveLength(1 + hostile.length)
    for (const line of lines) expect(line).toMatch(/^• `[^`\n]*` {2}[\d,]+$/)
  })

  it('a long message is cut between two lines, within 2,000 characters', () => {
    const emails = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(60)}${i}@example.com`)
    const { content } = written(discordFormat, [dayOf(emails, 7)])
    expect(content.length).toBeLessThanOrEqual(2000)
    expect(content).toMatch(/`\n…$/)
    expect((content.match(/`/g) ?? []).length % 2).toBe(0)
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

  it('has addresses only where they are given to it', () => {
    expect(strings(written(webhookFormat, [day])).join()).not.toContain('@example.com')
    const told = dayOf(['ada@example.com'], 3)
    expect(written(webhookFormat, [told]).data.notices[0].data).toMatchObject({
      signUps: 1234,
      addresses: ['ada@example.com'],
      moreAddresses: 3,
    })
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
      { alarm: 'announcement', since, announcement: 'launch', answer: '421 <!here>' },
      /the announcement stopped\n[\s\S]*deliveries launch[\s\S]*mail server said[\s\S]*421 ‹!here›/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'unready' },
      /since the pre-flight found a problem/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'cut-off', answer: '' },
      /Its process has ended without a reason[\s\S]*deliveries launch/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'fault', answer: '' },
      /since an error ended it/,
    ],
    [
      'alarm.began',
      { alarm: 'announcement', since, announcement: 'launch', why: 'ended', answer: '' },
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

  it('a list says how many more there are, where there are more', () => {
    const written = (more: number) =>
      slackFormat(message([dayOf(['ada@example.com'], more)]), options)
    expect(written(1234)).toContain('and 1,234 more')
    expect(written(0)).not.toMatch(/and [\d,-]+ more/)
  })

  it('a mail server that said nothing is not quoted', () => {
    const data = { alarm: 'announcement', since, announcement: 'launch', why: 'cut-off' }
    for (const answer of ['', undefined])
      expect(inWords(notice('alarm.began', { ...data, answer }))).not.toContain('mail server said')
  })

  it('a day says nothing of back-ups that are not ours', () => {
    expect(inWords(day)).not.toMatch(/back-up/)
  })

  it('several are one message', () => {
    const two = [notice('subscribers.reached', { number: 1 }), day]
    expect(written(slackFormat, two)).toMatchObject({
      text: expect.stringMatching(/the first sign-up\n[\s\S]*\n\nMeridian: 1,234 sign-ups/),
      blocks: [{}, {}, {}, {}],
    })
  })
})
