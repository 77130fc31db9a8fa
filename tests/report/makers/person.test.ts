import { expect, it } from 'vitest'
import { asJson } from '../../../src/report/json.ts'
import { reportOfPerson } from '../../../src/report/makers/person.ts'
import { inText } from '../../../src/report/terminal.ts'
import { leadOf } from '../../../src/shared/report.ts'
import type { Person } from '../../../src/store/person.ts'
import { plain as noStyle } from '../../../src/terminal/style.ts'
import { receipt } from '../../fixtures/receipt.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
const shown = { words: 'Coming Soon | Notify Me', page: 'a1b2c3', language: 'en' }

const nobody: Person = {
  email: 'ada@example.com',
  addressId: 'x',
  isImported: false,
  deliveries: [],
}

const historyOf = (person: Person) =>
  reportOfPerson(person)
    .parts.flatMap((part) => (part.part === 'history' ? part.moments : []))
    .map(({ at, title, mark = '', lines = [], quote }) => ({
      ...{ at: Date.parse(at), title, mark, lines, quote: quote ?? null },
    }))
const summaryOf = (person: Person) => leadOf(reportOfPerson(person))?.remark

const titles = (person: Person) => historyOf(person).map(({ title }) => title)

const asked = { askedAt: at(1).toISOString() }
const everything: Person = {
  ...nobody,
  subscribedAt: at(1),
  consent: receipt(at(2), { ...shown, ...asked, askedFrom: '192.0.2.1', how: 'code' }),
  standing: { standing: 'bounced', at: at(9), detail: '550 no such user' },
  deliveries: [
    {
      announcement: 'open',
      email: nobody.email,
      status: 'failed',
      tries: 3,
      changedAt: at(9),
      answer: '550 unknown',
    },
    {
      announcement: 'soon',
      email: nobody.email,
      status: 'suppressed',
      tries: 0,
      changedAt: at(5),
      answer: undefined,
      standing: 'mailbox',
    },
  ],
}

it('tells how far asking has come', () => {
  const pending = {
    email: nobody.email,
    askedAt: at(1),
    shown,
    letters: 2,
    lastLetterAt: at(2),
    failure: '450 try later',
    noAt: at(3),
    suspicion: 'program',
  }
  const unmailable = { ...pending, letters: 0, failure: 'unmailable', noAt: undefined }
  expect(historyOf({ ...nobody, pending: unmailable })[0]).toMatchObject({
    title: 'Was sent no letter to confirm',
    lines: [],
    quote: 'no letter can be sent to this address',
  })
  expect(titles({ ...nobody, pending: { ...pending, confirmedAt: at(4) } })).toEqual([])
  expect(summaryOf({ ...nobody, pending })).toBe(
    'Not on the list: they were asked, and said that it was not them.',
  )
})

const plain = { mark: '', lines: [], quote: null }

it('tells where and how somebody signed up and confirmed, with what they read', () => {
  const consent = receipt(at(2), { ...shown, ...asked, confirmedFrom: '192.0.2.7' })
  const of = (more: object) =>
    historyOf({ ...nobody, subscribedAt: at(1), consent: { ...consent, ...more } })
  expect(of({})).toEqual([
    {
      ...plain,
      at: Number(at(2)),
      title: 'Confirmed',
      mark: 'confirmed',
      lines: ['By the button of the letter, from 192.0.2.7'],
    },
    {
      ...plain,
      at: Number(at(1)),
      title: 'Was asked to confirm',
      lines: [
        'Letter <one@example.com>',
        'SHA-256 of what it said: digest',
        'On page a1b2c3, in language en, they read:',
      ],
      quote: shown.words,
    },
    { ...plain, at: Number(at(1)), title: 'Signed up', mark: 'subscribed' },
  ])
  expect(of({ how: 'code' })[0]?.lines[0]).toMatch(/^By the code of the letter/)
  expect(historyOf({ ...nobody, subscribedAt: at(1), isImported: true })).toEqual([
    {
      ...plain,
      at: Number(at(1)),
      title: 'Signed up elsewhere',
      mark: 'subscribed',
      lines: ['Imported.'],
    },
  ])
})

it('tells of a yes to more letters in its time', () => {
  const person = {
    ...nobody,
    stillInterested: at(7),
  } as unknown as Person
  expect(historyOf(person)).toEqual([{ ...plain, at: Number(at(7)), title: 'Still interested' }])
})

it('tells what was asked, with the signs of a robot, and of a letter that did not leave', () => {
  const pending = {
    email: nobody.email,
    askedAt: at(1),
    shown,
    letters: 1,
    lastLetterAt: at(2),
    noAt: at(3),
    yesAt: at(3),
    suspicion: 'hidden-field',
  }
  expect(historyOf({ ...nobody, pending: { ...pending, failure: '450 try later' } })).toEqual([
    {
      ...plain,
      at: Number(at(3)),
      title: 'Both buttons were pressed',
      lines: ['A program does that, so it counts as no answer.'],
    },
    {
      at: Number(at(2)),
      title: 'Was sent 1 letter to confirm',
      mark: 'failed',
      lines: ['The last one did not leave:'],
      quote: '450 try later',
    },
    {
      at: Number(at(1)),
      title: 'Asked to be told, and has not confirmed',
      mark: 'pending',
      lines: ['Signs of a robot: hidden-field', 'They read:'],
      quote: shown.words,
    },
  ])
  const silent = {
    ...pending,
    noAt: undefined,
    suspicion: undefined,
    shown: { ...shown, words: '' },
  }
  expect(historyOf({ ...nobody, pending: silent })).toEqual([
    { ...plain, at: Number(at(2)), title: 'Was sent 1 letter to confirm', mark: 'sent' },
    {
      ...plain,
      at: Number(at(1)),
      title: 'Asked to be told, and has not confirmed',
      mark: 'pending',
    },
  ])
  const unsent = { ...silent, letters: 0, lastLetterAt: undefined }
  expect(titles({ ...nobody, pending: unsent })).toEqual([
    'Asked to be told, and has not confirmed',
  ])
  const no = { ...silent, noAt: at(4), yesAt: undefined }
  expect(historyOf({ ...nobody, pending: no })[0]).toEqual({
    ...plain,
    at: Number(at(4)),
    title: 'Said that it was not them',
  })
})

it('tells how somebody stands, in words of the desk, and what was answered', () => {
  const of = (standing: NonNullable<Person['standing']>['standing'], detail?: string) =>
    historyOf({
      ...nobody,
      standing: { standing, at: at(5), detail } as Person['standing'] & object,
    })
  const told = { ...plain, at: Number(at(5)) }
  expect([
    ...of('subscribed'),
    ...of('pending'),
    ...of('quarantined', 'hidden-field,too-quick'),
    ...of('quarantined'),
    ...of('unsubscribed'),
    ...of('bounced', '550 no'),
    ...of('complained'),
    ...of('forgotten'),
  ]).toEqual([
    { ...told, title: 'Subscribed', mark: 'subscribed' },
    { ...told, title: 'Said that it was not them', mark: 'pending' },
    {
      ...told,
      title: 'Quarantined',
      mark: 'quarantined',
      lines: ['Signs of a robot: hidden-field, too-quick'],
    },
    { ...told, title: 'Quarantined', mark: 'quarantined' },
    { ...told, title: 'Unsubscribed', mark: 'unsubscribed' },
    { ...told, title: 'Bounced', mark: 'bounced', quote: '550 no' },
    { ...told, title: 'Reported a letter as spam', mark: 'complained' },
    { ...told, title: 'Forgotten', mark: 'forgotten' },
  ])
})

it('tells what became of each letter, in which language and after how many tries', () => {
  const delivery = { announcement: 'open', email: nobody.email, tries: 1, changedAt: at(5) }
  const of = (more: object) =>
    historyOf({
      ...nobody,
      deliveries: [{ ...delivery, ...more } as Person['deliveries'][number]],
    })[0]
  const told = { ...plain, at: Number(at(5)) }
  const became = {
    queued: 'waits to be sent',
    sending: 'is being sent',
    sent: 'was sent',
    failed: 'could not be sent',
    uncertain: 'may have been sent',
    suppressed: 'was not sent',
    forgotten: 'was sent',
  }
  for (const [status, words] of Object.entries(became))
    expect(of({ status })).toEqual({ ...told, title: `Letter “open” ${words}`, mark: status })
  expect(of({ status: 'sent', language: 'de', tries: 2, answer: '250 ok' })).toEqual({
    ...told,
    title: 'Letter “open” was sent',
    mark: 'sent',
    lines: ['In de', 'After 2 tries'],
    quote: '250 ok',
  })
})

it('puts the letter that came last above those before', () => {
  const letter = { email: nobody.email, status: 'sent', tries: 1, changedAt: at(5) } as const
  const deliveries = ['second', 'first'].map((announcement) => ({
    ...letter,
    announcement,
    answer: undefined,
  }))
  expect(titles({ ...nobody, deliveries })).toEqual([
    'Letter “second” was sent',
    'Letter “first” was sent',
  ])
})

it('sums up in a sentence how each stands', () => {
  const of = (standing: string | undefined, more: object = {}) =>
    summaryOf({
      ...nobody,
      subscribedAt: at(1),
      ...(standing && { standing: { standing, at: at(2) } as Person['standing'] & object }),
      ...more,
    })
  expect(
    [...'subscribed pending quarantined unsubscribed bounced complained forgotten'.split(' ')].map(
      (one) => of(one),
    ),
  ).toEqual([
    'On the list: letters go to them.',
    'They are on the list, but get no letters: they said that it was not them.',
    'They are on the list, but get no letters: their sign-up had signs of a robot.',
    'They get no letters: they unsubscribed.',
    'They get no letters: their mail server refused one permanently.',
    'They get no letters: they reported one as spam.',
    'Erased.',
  ])
  expect(of('forgotten', { subscribedAt: undefined })).toBe('Not on the list. Erased.')
  expect(of(undefined, { subscribedAt: undefined })).toBe('Not on the list.')
  const pending = { email: nobody.email, askedAt: at(1), shown, letters: 1 }
  expect(of(undefined, { subscribedAt: undefined, pending })).toBe(
    'Not on the list: they were asked, and have not confirmed.',
  )
  expect(of(undefined, { consent: everything.consent })).toBe(
    'Confirmed, and on the list: letters go to them.',
  )
})

it('says all of it at a terminal, and each field to programs', () => {
  const person: Person = {
    ...everything,
    ...{ source: { source: 'hn', campaign: 'launch' }, isImported: true },
    ...{ firstName: 'Ada', answer: 'Rye' },
  }
  const said = inText(reportOfPerson(person), { style: noStyle })
  for (const line of [
    /^Address +ada@example\.com +They get no letters: their mail server refused one/,
    /^Standing +bounced$/m,
    /^Signed up +2026-11-01 \S+ +imported$/m,
    /^Source +hn\nCampaign +launch\nFirst name +Ada\nAnswered +Rye$/m,
    /^Forget … +\S+ forget ada@example\.com$/m,
    /^2026-11-09 \S+ +Bounced\n +"550 no such user"$/m,
  ])
    expect(said).toMatch(line)
  expect(said).not.toContain('Unsubscribe ')
  expect(asJson(reportOfPerson(person))).toMatchObject({
    ...{ email: 'ada@example.com', subscribedAt: at(1).toISOString(), standing: 'bounced' },
    ...{ imported: true, source: 'hn', medium: null, campaign: 'launch', firstName: 'Ada' },
    ...{ answer: 'Rye', signs: null },
    moments: [
      { code: 'standing', standing: 'bounced', detail: '550 no such user' },
      { code: 'delivery', announcement: 'open', status: 'failed', tries: 3, answer: '550 unknown' },
      { code: 'delivery', announcement: 'soon', status: 'suppressed', leftOut: 'mailbox' },
      { code: 'confirmed', how: 'code' },
      { code: 'asked' },
      { code: 'signedUp' },
    ],
  })
  const pending = { email: nobody.email, askedAt: at(1), shown, letters: 2, lastLetterAt: at(2) }
  const some = { ...nobody, ...{ language: 'de', repliedAt: at(2) } }
  for (const one of [person, { ...some, pending, stillInterested: at(2), evidence: 'x' }])
    expect(undocumented('find', reportOfPerson(one as unknown as Person))).toEqual([])
})

it('a command for somebody is one line that a shell reads as it is meant', () => {
  const odd = { ...nobody, email: "o'hara$(x)@example.com", subscribedAt: at(1) }
  expect(inText(reportOfPerson(odd), { style: noStyle })).toMatch(
    / unsubscribe 'o'\\''hara\$\(x\)@example\.com'$/m,
  )
})
