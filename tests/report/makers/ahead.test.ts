import { expect, it } from 'vitest'
import { asJson } from '../../../src/report/json.ts'
import { type AheadFound, reportOfAhead } from '../../../src/report/makers/ahead.ts'
import { inText } from '../../../src/report/terminal.ts'
import type { Finding } from '../../../src/shared/finding.ts'
import { noSuppressions } from '../../../src/store/delivery-ledger.ts'
import { plain } from '../../../src/terminal/style.ts'

const none = noSuppressions()
const all = {
  ...{ toSend: 20_015, letters: 20_015, toSendIn: () => 0, eligible: 20_015, leftOut: none },
  done: { sent: 0, failed: 0, uncertain: 0 },
}
const report = (changes: object, more: Partial<AheadFound> = {}) =>
  reportOfAhead({
    ...{ found: [], may: 'go', seen: { command: 'announce launch.md' } },
    count: { ...all, ...changes } as never,
    ...more,
  })

it('a dry run says how many get the letter, of how many, and why the others do not', () => {
  const json = (changes: object) => {
    const { notes: _, letters: __, eligible, ...figures } = asJson(report(changes))
    const some = Object.entries(figures).filter(([, people]) => people !== 0)
    return [eligible, Object.fromEntries(some)]
  }
  expect(json({})).toEqual([20_015, { toSend: 20_015 }])
  const leftOut = { ...none, bounced: 4, told: 2 }
  // In a stage, where three are tried again.
  const done = { sent: 3, failed: 2, uncertain: 1 }
  expect(json({ toSend: 203, toSendIn: () => 3, letters: 20_000, leftOut, done })).toEqual([
    20_015,
    { toSend: 203, leftOut: 6, notInThisRun: 19_800, sent: 3, failed: 2, uncertain: 1 },
  ])
  expect(json({ toSend: 0, letters: 0, done: { ...done, sent: 20_011, failed: 0 } })).toEqual([
    20_015,
    { sent: 20_011, uncertain: 1, forgotten: 3 },
  ])
})

it('a dry run says how many have a first name', () => {
  const names = { people: 0, instead: ['there', 'friend'] }
  const text = inText(report({}, { names }), { style: plain })
  expect(text).toContain(
    '0 of 20,015 have a first name; the others read "there" or "friend".\n\nTo send  20,015  of 20,015 people, 100 %',
  )
})

it('no letter leaves while there are problems, but by the option that names each', () => {
  const record = { code: 'sender-record', is: 'missing', name: 'example.org', answer: '' } as const
  const spf: Finding = { ...record, verdict: 'problem', about: 'SPF' }
  const link = { code: 'letter-link', verdict: 'problem', about: '/start', language: 'de' } as const
  const ahead = { code: 'page-not-yet', verdict: 'problem', at: 0, zone: 'UTC' } as const
  const found = [spf, { ...record, verdict: 'note', about: 'DMARC' } as const, link, link, ahead]
  const said = (may: AheadFound['may']) =>
    inText(report({}, { found, may, count: undefined }), { style: plain })
  expect(said('problem')).toMatch(
    /^PROBLEM: No letter .* launch\.md --force spf,letter-link --before-opening$/m,
  )
  expect(said('forced')).toMatch(/^LOOK: Letters leave in spite of these problems\.$/m)
  expect(said('fatal')).toMatch(/^PROBLEM: No letter leaves until these problems are solved\.$/m)
})
