import { expect, it } from 'vitest'
import { historyOf, summaryOf } from '../../../src/desk/server/person-history.ts'
import type { Person } from '../../../src/store/person.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
const shown = { words: 'Coming Soon | Notify Me', page: 'a1b2c3', language: 'en' }

const nobody: Person = {
  email: 'ada@example.com',
  addressId: 'x',
  isImported: false,
  deliveries: [],
  invitations: [],
}

const titles = (person: Person) => historyOf(person).map(({ title }) => title)

it('tells of a receipt, of letters and of how it ended, newest first', () => {
  const person: Person = {
    ...nobody,
    subscribedAt: at(1),
    consent: {
      ...shown,
      askedAt: at(1).toISOString(),
      askedFrom: '192.0.2.1',
      messageId: '<one@example.com>',
      letterDigest: 'digest',
      confirmedAt: at(2).toISOString(),
      how: 'code',
    },
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
  expect(titles(person)).toEqual([
    'Bounced',
    'Letter “open” could not be sent',
    'Letter “soon” was not sent',
    'Confirmed',
    'Was asked to confirm',
    'Signed up',
  ])
  const [bounced, failed, left, confirmed, asked] = historyOf(person)
  expect(failed).toMatchObject({ lines: ['After 3 tries'], quote: '550 unknown' })
  expect(bounced).toMatchObject({ mark: 'bounced', quote: '550 no such user' })
  expect(left?.lines).toEqual(['Left out: mailbox has three'])
  expect(confirmed?.lines).toEqual(['By the code of the letter'])
  expect(asked?.quote).toBe(shown.words)
  expect(asked?.lines.join()).toContain('192.0.2.1')
  expect(summaryOf(person)).toMatch(/^They get no letters/)
})

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
  expect(titles({ ...nobody, pending })).toEqual([
    'Said that it was not them',
    'Was sent 2 letters to confirm',
    'Asked to be told, and has not confirmed',
  ])
  const unmailable = { ...pending, letters: 0, failure: 'unmailable', noAt: undefined }
  expect(historyOf({ ...nobody, pending: unmailable })[0]).toMatchObject({
    title: 'Was sent no letter to confirm',
    lines: [],
    quote: 'no letter can be sent to this address',
  })
  expect(titles({ ...nobody, pending: { ...pending, yesAt: at(3) } })[0]).toBe(
    'Both buttons were pressed',
  )
  expect(titles({ ...nobody, pending: { ...pending, confirmedAt: at(4) } })).toEqual([])
  expect(summaryOf({ ...nobody, pending })).toMatch(/^Not on the list/)
})

it('says for each standing why somebody gets no letters', () => {
  for (const standing of [
    'pending',
    'quarantined',
    'unsubscribed',
    'bounced',
    'complained',
  ] as const) {
    const person = { ...nobody, subscribedAt: at(1), standing: { standing, at: at(2) } }
    expect(summaryOf(person)).toMatch(/no letters|without letters/)
    expect(summaryOf({ ...person, subscribedAt: undefined })).toMatch(/^Not on the list/)
  }
  expect(summaryOf({ ...nobody, subscribedAt: at(1) })).toBe('On the list, with all letters.')
})
