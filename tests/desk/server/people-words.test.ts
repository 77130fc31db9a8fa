import { expect, it } from 'vitest'
import { fieldsOf } from '../../../src/desk/server/fields.ts'
import {
  filterIn,
  filterStandings,
  queryOf,
  wantedBy,
} from '../../../src/desk/server/people-filter.ts'
import { deedIn, personNote } from '../../../src/desk/server/people-words.ts'

const none = { text: '', standing: '', source: '', answer: '', since: '', until: '' }

it('a filter has what a form may say, and leaves out the rest', () => {
  const said = {
    text: ' Ada ',
    standing: ' bounced ',
    source: ' HN ',
    answer: ' Rye ',
    since: '2026-03-29',
    until: ' 2026-03-30 ',
  }
  expect(filterIn(fieldsOf(said))).toEqual({
    text: 'Ada',
    standing: 'bounced',
    source: 'hn',
    answer: 'Rye',
    since: '2026-03-29',
    until: '2026-03-30',
  })
  expect(filterIn(fieldsOf({}))).toEqual(none)
  for (const wrong of ['2026-3-29', '2026-03-29T10', 'x2026-03-29', '2026-13-01', 'today'])
    expect(filterIn(fieldsOf({ since: wrong, until: wrong, standing: wrong }))).toEqual(none)
  expect(filterIn(fieldsOf({ text: 'x'.repeat(500) })).text).toHaveLength(400)
  expect(filterStandings).not.toContain('forgotten')
  expect(filterIn(fieldsOf({ standing: 'forgotten' })).standing).toBe('')
})

it('a filter asks the store for what it has, and for nothing else', () => {
  expect(wantedBy(none, undefined)).toEqual({})
  const { isReply, ...wanted } = wantedBy(
    {
      ...none,
      text: 'Ada',
      standing: 'bounced',
      source: 'hn',
      answer: 'rye',
      since: '2026-03-29',
      until: '2026-03-31',
    },
    'text',
  )
  expect(wanted).toEqual({
    part: 'ada',
    standing: 'bounced',
    source: 'hn',
    since: new Date('2026-03-29T00:00'),
    until: new Date('2026-04-01T00:00'),
  })
  expect([isReply?.('Rye'), isReply?.('Wheat')]).toEqual([true, false])
})

it('the address of a page has the filter, and neither the text nor the answer', () => {
  const filter = { ...none, text: 'ada', answer: 'rye' }
  expect(queryOf(filter)).toBe('')
  expect(
    queryOf({ ...filter, standing: 'bounced', since: '2026-03-29' }, { after: '5-5', done: '' }),
  ).toBe('?standing=bounced&since=2026-03-29&after=5-5')
})

it('says of one person what came of an action, by how they stand now', () => {
  expect(['unsubscribed', 'released', 'forgotten'].map(deedIn)).not.toContain(undefined)
  expect([deedIn('other'), deedIn(undefined), deedIn('__proto__')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(personNote('unsubscribed', 'unsubscribed')).toEqual({
    isDone: true,
    title: 'Unsubscribed',
    text: 'They get no more letters, unless they sign up again.',
  })
  expect(personNote('unsubscribed', 'complained')).toEqual({
    isDone: false,
    title: 'Not changed: complained',
    text: 'That counts more than an unsubscribe.',
  })
  expect(personNote('released', 'quarantined')).toEqual({
    isDone: false,
    title: 'Not released',
    text: 'They have said meanwhile that it was not them, and stay in quarantine.',
  })
  expect(personNote('released', 'subscribed')).toEqual({
    isDone: true,
    title: 'Released',
    text: 'They may be mailed, and keep the time of their sign-up.',
  })
  for (const deed of ['forgotten', undefined] as const)
    expect(personNote(deed, 'subscribed')).toBeNull()
})
