import { expect, it } from 'vitest'
import type { ReplyCounts } from '../../../src/features/question/count-replies.ts'
import { reportOfReplies } from '../../../src/features/question/report.ts'
import { inText } from '../../../src/report/terminal.ts'
import { plain } from '../../../src/terminal/style.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

const counts: ReplyCounts = {
  ...{ people: 50, answered: 8, others: 2 },
  answers: [
    { answer: 'Bread', people: 3 },
    { answer: 'Cake', people: 1 },
  ],
}
const said = (some: ReplyCounts, question?: string) =>
  inText(reportOfReplies(some, question), { style: plain })

it('answers are the most frequent ones, with bars, and how many answered', () => {
  const report = said(counts, 'What would you bake?')
  expect(report).toMatch(/^Answered +8 +of 50 subscribers, 16 %\nOther answers +2 /)
  expect(report).toContain('Your page asks those who signed up: What would you bake?')
  expect(report).toContain(`Bread        3  ${'█'.repeat(24)}\nCake         1  ${'█'.repeat(8)}\n`)
  expect(said({ people: 0, answered: 0, answers: [], others: 0 })).toMatch(
    /^Answered +0\n\nYour page asks nothing/,
  )
  const many = Array.from({ length: 24 }, (_, i) => ({ answer: `${i}`, people: i === 0 ? 60 : 1 }))
  expect(said({ ...counts, answers: many })).toMatch(/^19 +1 +█\n4 more: --all shows them$/m)
})

it('says what each field is that programs get', () => {
  expect(undocumented('answers', reportOfReplies(counts))).toEqual([])
})
