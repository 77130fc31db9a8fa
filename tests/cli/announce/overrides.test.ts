import { describe, expect, it } from 'vitest'
import { overriddenBy } from '../../../src/cli/announce/overrides.ts'
import { type Finding, problemKey } from '../../../src/shared/finding.ts'

const verdict = 'problem'
const spf: Finding = {
  code: 'sender-record',
  verdict,
  about: 'SPF',
  is: 'missing',
  name: 'x',
  answer: '',
}
const link: Finding = { code: 'letter-link', verdict, about: '/start', language: 'de' }
const ahead: Finding = { code: 'page-not-yet', verdict, at: 0, zone: 'UTC' }
const closed: Finding = { code: 'page-closed-again', verdict, site: 'https://example.com' }

describe('what the command line overrides', () => {
  it('is the problems that it names, in whatever language of the letter, and no other', () => {
    const overrides = overriddenBy({ force: ['spf', 'letter-link'] })
    expect([spf, link, closed].map(overrides)).toEqual([true, true, false])
    expect([spf, link, closed, ahead].some(overriddenBy({}))).toBe(false)
    expect([spf, link].some(overriddenBy({ force: ['sender-record', 'dkim', 'all'] }))).toBe(false)
  })

  it('is an opening that lies ahead only by an option of its own, which overrides nothing else', () => {
    const everything = { force: ['spf', 'page-not-yet', 'page', 'page-closed-again'] }
    expect([ahead, closed].map(overriddenBy(everything))).toEqual([false, true])
    expect([ahead, closed, spf].map(overriddenBy({ beforeOpening: true }))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is at the desk what its operator saw and ticked', () => {
    const overrides = overriddenBy({ forceProblem: [link, ahead].map(problemKey) })
    expect([link, { ...link, about: '/other' }, ahead, spf].map(overrides)).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})
