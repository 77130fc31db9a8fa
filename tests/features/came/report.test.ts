import { expect, it } from 'vitest'
import { reportOfCame } from '../../../src/features/came/report.ts'
import type { WhoCame } from '../../../src/features/came/who-came.ts'
import { groupings } from '../../../src/people/known-fields.ts'
import { asJson } from '../../../src/report/json.ts'
import { reportOfPerson } from '../../../src/report/makers/person.ts'
import { inText } from '../../../src/report/terminal.ts'
import { reasonInWords } from '../../../src/terminal/standing-words.ts'
import { plain } from '../../../src/terminal/style.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

const none: WhoCame = {
  ...{ told: 0, uncertain: 0, came: 0, others: 0, medianMs: null },
  ...{ letters: [], sources: [], groups: [], weeks: [] },
}
const said = (more: Partial<WhoCame>) =>
  inText(reportOfCame({ ...none, ...more }), { style: plain })

it('who became a user is said as a share of those told, and how soon', () => {
  const hours = 3_600_000
  const some = said({ told: 4000, came: 120, medianMs: 2 * hours, uncertain: 1201, others: 3 })
  expect(some).toMatch(/^Became users +120 +of 4,000 told, 3 %, half of them within 2 h/m)
  expect(some).toMatch(/^Uncertain +1,201 +of those told: /m)
  expect(some).toMatch(/^Others +3 +users who got no letter, or were users before it$/m)
  expect(said({ told: 5, came: 1, medianMs: 2 * hours })).toMatch(/ 1 +of 5 told, after 2 h/)
  expect(said({})).toContain('Nobody was told yet')
})

it('begins with the newest of the weeks in which people signed up', () => {
  const weeks = ['2026-03-30', '2026-04-06'].map((name) => ({ name, told: 1, came: 0 }))
  const report = said({ told: 2, weeks })
  expect(report).toMatch(/^By week of sign-up +Told +Users\n2026-04-06 .*\n2026-03-30 /m)
  // No heading without a row.
  expect(report).not.toMatch(/^By (answer|who referred them)/m)
})

it('says what each field is that programs get', () => {
  const group = [{ name: 'x', told: 1, came: 0 }]
  const some = { letters: group, sources: group, groups: groupings.map(() => group), weeks: group }
  const { groups: _, ...others } = none
  const byField = Object.fromEntries(groupings.map(({ name }) => [name, []]))
  expect(asJson(reportOfCame(none))).toEqual({ ...others, ...byField, notes: [{ code: 'nobody' }] })
  expect(undocumented('came', reportOfCame({ ...none, ...some }))).toEqual([])
})

it('is told of somebody in its time, and why a letter left them out', () => {
  const at = new Date(Date.UTC(2026, 10, 6, 12))
  const person = { email: 'ada@example.com', addressId: 'x', isImported: false, deliveries: [] }
  expect(asJson(reportOfPerson({ ...person, came: at }))).toMatchObject({
    came: at,
    moments: [{ code: 'came', at: at.toISOString() }],
  })
  expect(reasonInWords('came')).toBe('came to the product already')
})
