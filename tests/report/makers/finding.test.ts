import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../src/announcement/refusal.ts'
import { deskActs } from '../../../src/desk/contract/acts.ts'
import { findingNote } from '../../../src/report/makers/finding.ts'
import { refusalInWords } from '../../../src/report/makers/refusal.ts'
import type { Finding } from '../../../src/shared/finding.ts'

it('names each address that another site has, or that it has none', () => {
  const site = 'https://example.com'
  const found = { code: 'page-other-site', verdict: 'problem', site, status: 200 } as const
  const where = (addresses: string[]) => findingNote({ ...found, addresses }).text
  expect(where(['192.0.2.1', '2001:db8::1'])).toContain('it is at 192.0.2.1, 2001:db8::1:')
  expect(where([])).toContain('; it is not in the DNS:')
})

const wrong = { verdict: 'problem' } as const

describe('what helps with a finding', () => {
  it('is a page of the desk, a field of its form, or a command of the terminal', () => {
    const seen = { command: 'announce launch.md', letter: 'launch', isOpen: true }
    const record = { about: 'DKIM', is: 'unnamed', name: '', answer: '' } as const
    const earlier = { about: 'soon', begunAt: 0, people: 3, isAlone: true } as const
    const helps: [Finding, string | undefined][] = [
      [{ ...wrong, code: 'letter-changed', sent: 3 }, 'new-letter'],
      [{ ...wrong, code: 'left-out', about: 'quarantined', people: 3 }, 'quarantine'],
      [{ ...wrong, code: 'page-not-set' }, 'open'],
      [{ ...wrong, code: 'page-not-yet', at: 0, zone: 'UTC' }, 'open'],
      [{ ...wrong, code: 'page-closed-again', site: 'https://a.example' }, 'open'],
      [{ ...wrong, code: 'letter-link', about: 'http://x' }, 'edit-letter'],
      [{ ...wrong, code: 'letter-no-words', language: 'de' }, 'edit-translation'],
      [{ ...wrong, code: 'letter-code-unseen' }, 'edit-letter'],
      [{ ...wrong, code: 'sender-record', ...record }, 'how-it-is-sent'],
      [{ ...wrong, code: 'earlier', ...earlier, isLeftOut: true }, 'how-it-is-sent'],
      [{ ...wrong, code: 'earlier', ...earlier, isLeftOut: false }, undefined],
      [{ ...wrong, code: 'database', ms: 900 }, undefined],
      [{ ...wrong, code: 'left-out', about: 'bounced', people: 3 }, undefined],
      [{ ...wrong, code: 'letter-no-postal-address' }, undefined],
      [{ ...wrong, code: 'codes', about: 'Invitation', text: 'no key' }, undefined],
      [{ code: 'letter-link', about: 'x', verdict: 'fine' }, undefined],
    ]
    for (const [found, code] of helps) {
      const { act } = findingNote(found, seen)
      expect(act?.code, found.code).toBe(code)
      if (act && !act.command) expect(Object.keys(deskActs)).toContain(act.code)
      // What was sent cannot be changed.
      const closed = findingNote(found, { ...seen, isOpen: false }).act?.code
      expect(closed, found.code).toBe(code?.startsWith('edit') ? 'new-letter' : code)
    }
  })
})

it('a refusal is said in words that fit the desk and the terminal', () => {
  const id = 'launch'
  const refusals: [Refusal, RegExp][] = [
    [{ code: 'nothing-to-retry', id }, /^It was sent to nobody yet/],
    [{ code: 'letter-asks', id, option: '--ask' }, /^"launch" was sent as a letter that asks/],
    [{ code: 'no-such-announcement', id }, /^There is no announcement "launch"/],
    [{ code: 'another-runs', host: 'there 7', pid: 7 }, /being sent on there, by process 7\./],
    [
      { code: 'imbalance', eligible: 2000, rows: 1999 },
      / 2,000 people, but 1,999 are in its queue/,
    ],
    [{ code: 'letter-name', file: 'X.md' }, /^X\.md: .* only a–z, /],
    [
      { code: 'letter-mistakes', file: 'x.md', mistakes: ['one', 'two'] },
      /^x\.md: one\nx\.md: two$/,
    ],
  ]
  for (const [refusal, words] of refusals) {
    const said = refusalInWords(refusal)
    expect(said).toMatch(words)
    expect(said).not.toMatch(/ --[a-z]/)
  }
})
