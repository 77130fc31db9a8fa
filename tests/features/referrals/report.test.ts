import { expect, it } from 'vitest'
import type { HeldReason, ReferralCounts } from '../../../src/features/referrals/count-friends.ts'
import { reportOfReferrals } from '../../../src/features/referrals/report.ts'
import { inText } from '../../../src/report/terminal.ts'
import { plain } from '../../../src/terminal/style.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

const counts: ReferralCounts = {
  ...{ links: 1200, used: 3, asked: 2, confirmed: 30, credited: 12, held: 0 },
  refused: { mailbox: 0, ring: 0, nobody: 0 },
  heldDays: [],
  bringers: [],
}
const held = (number: number, why: HeldReason) => ({
  ...{ email: 'a@b.example', day: '2026-11-20', number, why },
})
const more: ReferralCounts = {
  ...counts,
  held: 26,
  heldDays: [held(11, 'many'), held(12, 'many'), held(1, 'signs'), held(2, 'contested')],
  refused: { mailbox: 3, ring: 0, nobody: 1 },
  bringers: [{ email: 'a@b.example', credited: 12 }],
}
const report = (some: ReferralCounts, isOn = true) =>
  reportOfReferrals(some, isOn, new Date('2026-11-21T10:00:00Z'))
const said = (some: ReferralCounts, isOn?: boolean) => inText(report(some, isOn), { style: plain })

it('who referred friends is said with what counts, what is held and what does not count', () => {
  expect(said(counts)).toBe(
    [
      'Friends who count          12',
      'Personal links          1,200  3 of them referred somebody',
      'Friends who confirmed      30',
      'Friends yet to confirm      2',
      '',
    ].join('\n'),
  )
  const words = said(more)
  expect(words).toMatch(
    /^Held +26 +23 \(more than 10 in a day\), 1 \(signs of a robot\), 2 \(by the links of several\)$/m,
  )
  expect(words).toMatch(
    /^Do not count +4 +3 whose mailbox was on the list already, 1 whose link belongs to nobody/m,
  )
  expect(words).toMatch(/^a@b\.example +2026-11-20 +11 +more than 10 in a day$/m)
  expect(words).toMatch(/^Count them: \S+ referrals --let <email> --day <day>$/m)
  expect(said(counts, false)).toContain('REFERRALS is not on')
})

it('says what each field is that programs get', () => {
  expect(undocumented('referrals', report(more, false))).toEqual([])
})
