import { expect, it } from 'vitest'
import type { ConfirmationCounts } from '../../../src/audience/confirmation-counts.ts'
import { asJson } from '../../../src/report/json.ts'
import { healthNote } from '../../../src/report/makers/health.ts'
import { reportOfStatus, type StatusFound } from '../../../src/report/makers/status.ts'
import { inText } from '../../../src/report/terminal.ts'
import { plain } from '../../../src/terminal/style.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

const DAY_MS = 86_400_000
const now = new Date(2026, 10, 28, 12)
const days = Array.from({ length: 30 }, (_, i) => new Date(2026, 10, 28 - 29 + i))
const visits = (first = 0) => ({ first, return: 0, robot: 0, prefetch: 0 })
const standings = {
  ...{ subscribed: 0, pending: 0, quarantined: 0 },
  ...{ unsubscribed: 0, bounced: 0, complained: 0, forgotten: 0 },
}
const bare: StatusFound = {
  ...{ product: { name: 'Meridian' }, now, days },
  growth: {
    ...{ standings, imported: 0, quarters: [] },
    ...{ confirmed: 0, toConfirm: 0 },
  },
  traffic: { today: visits(), whole: visits(), days: days.map(() => visits()), sources: [] },
  ...{ last: undefined, opening: undefined, health: [] },
}
const asked: ConfirmationCounts = {
  ...{ waiting: 0, asked: 200, withSigns: 0, confirmed: 50, expired: 1200 },
  failures: { '550 no': 2 },
}

const said = (more: Partial<StatusFound>) =>
  inText(reportOfStatus({ ...bare, ...more }), { style: plain })
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' | '))

it('status says of nothing what is asked of it, and what to do first', () => {
  const lines = said({}).filter((line) => /^[A-Z]/.test(line))
  expect(lines).toEqual([
    'Subscribers of Meridian | 0',
    'Before the first visitor',
    expect.stringMatching(/^Have the list copied every night \| /),
    expect.stringMatching(/^Watch it on a phone \| \S+ desk$/),
    'Sign-ups a day, last 30 days',
    'Page | coming soon',
    'Announcement: none yet',
  ])
})

it('status has who is on the list, who is gone and who is held, apart from the imported', () => {
  const counts = { ...standings, subscribed: 2, bounced: 1, quarantined: 1, pending: 3 }
  const quarters = days.slice(21).map((day) => ({ at: day.getTime(), number: 1 }))
  const growth = { ...bare.growth, standings: counts, imported: 4, quarters, toConfirm: 6 }
  expect(said({ growth })).toEqual(
    expect.arrayContaining([
      'Subscribers of Meridian | 2',
      'Not confirmed | 6 | were asked, and are not on the list',
      'Said “not me” | 3 | on the list, and not mailed',
      'Gone | 1 | 1 bounced',
      expect.stringMatching(/^Quarantined \| 1 \| for signs of a robot: .*quarantine$/),
      'Imported | 4 | only by an import, including those who left since; not in the figures by day',
      'Today | 1',
      'In 7 days | 7',
    ]),
  )
})

it('status has what came of asking to confirm, and who was on the list before', () => {
  expect(said({ asked })).toEqual(
    expect.arrayContaining([
      'Asked to confirm | 200 | 1,200 not answered in time',
      'Confirmed | 50 | of 200 asked, 25 %',
      '550 no | 2',
    ]),
  )
  expect(said({ asked: { ...asked, withSigns: 2 } })).toContainEqual(
    expect.stringMatching(/^Asked to confirm \| 200 \| .*, 2 wait with signs of a robot$/),
  )
})

it('status says when the list is to be erased, and what features say beside the page', () => {
  const until = new Date(now.getTime() + DAY_MS)
  const states = [{ name: 'loaves', label: 'Loaves', value: 2, remark: 'in the oven' }]
  const health = [healthNote({ code: 'list-kept', verdict: 'note', until })]
  expect(said({ health, features: [{ states }] })).toEqual(
    expect.arrayContaining([
      'List: kept until 2026-11-29: then erase it yourself',
      'Loaves | 2 | in the oven',
    ]),
  )
})

it('status has of a feature how much, how it stands and a table, each in its place', () => {
  const figure = (name: string) => ({ name, label: name, value: 1 })
  const columns = [
    { name: 'reply', kind: 'text' as const },
    { name: 'people', head: 'People' },
  ]
  const table = { part: 'table', name: 'replies', title: 'Reply', columns, most: 5 } as const
  const rows = [{ reply: 'Rye', people: 3 }]
  const lines = said({
    features: [
      { figures: [figure('Friends')], states: [figure('Replied')] },
      { table: { ...table, rows } },
    ],
  })
  const all = lines.filter((line) => /^(Friends|Rye|Sign-ups|Page|Replied)/.test(line))
  expect(all).toEqual([
    'Friends | 1',
    'Rye | 3',
    'Sign-ups a day, last 30 days',
    'Page | coming soon',
    'Replied | 1',
  ])
})

it('says what each field of status is that programs get', () => {
  const row = { visits: 1, signUps: 1, visitsToday: 1, signUpsToday: null }
  const report = reportOfStatus({
    ...bare,
    asked,
    traffic: { ...bare.traffic, sources: [{ kind: 'host', name: 'a.example', ...row }] },
    opening: { url: 'https://a.example/', at: now, zone: 'UTC', openedAt: undefined },
    health: [
      healthNote({ code: 'list-kept', verdict: 'note', until: now }),
      healthNote({
        ...{ code: 'documents', verdict: 'note' },
        ...{ documents: 3, lastAt: now, missing: 0, toErase: 0, isAlone: false },
      }),
    ],
  })
  expect(asJson(report)).toMatchObject({ subscribers: 0, today: 0 })
  expect(undocumented('status', report)).toEqual([])
})
