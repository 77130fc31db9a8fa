import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../../src/announcement/refusal.ts'
import { inLanguage } from '../../../../src/desk/contract/letters.ts'
import { findingShown, refusalShown } from '../../../../src/desk/server/letters/run-words.ts'
import type { Found } from '../../../../src/shared/found.ts'

const wrong = { verdict: 'problem' } as const

describe('a finding at the desk', () => {
  it('leads to the page that helps, or says what to do', () => {
    const helps: [Found, { href: string; label: string }][] = [
      [
        { ...wrong, code: 'list-on-hold' },
        { href: '/desk', label: 'What to do' },
      ],
      [
        { ...wrong, code: 'letter-changed', sent: 3 },
        { href: '/desk/letters/new?copy=launch', label: 'Make it a new letter' },
      ],
      [
        { ...wrong, code: 'left-out', about: 'quarantined', people: 3 },
        { href: '/desk/people?standing=quarantined', label: 'Who is in quarantine now' },
      ],
      [
        { ...wrong, code: 'page-not-set' },
        { href: '/desk/opening', label: 'Set when it opens' },
      ],
      [
        { ...wrong, code: 'page-not-yet', at: 0, zone: 'UTC' },
        { href: '/desk/opening', label: 'Set when it opens' },
      ],
      [
        { ...wrong, code: 'page-closed-again', site: 'https://a.example' },
        { href: '/desk/opening', label: 'Set when it opens' },
      ],
      [
        { ...wrong, code: 'letter-link', about: 'http://x' },
        { href: '/desk/letters/launch/edit', label: 'Edit the letter' },
      ],
      [
        { ...wrong, code: 'letter-no-words', language: 'de' },
        { href: '/desk/letters/launch/edit?language=de', label: 'Edit the letter' },
      ],
      [
        { ...wrong, code: 'invitation-unseen' },
        { href: '/desk/letters/launch/edit', label: 'Edit the letter' },
      ],
    ]
    for (const [found, link] of helps) {
      const shown = findingShown('launch', found, true)
      expect(shown, found.code).toMatchObject({ verdict: 'problem', link })
      expect(shown.advice, found.code).toBeUndefined()
      // What was sent cannot be changed.
      const label = link.label === 'Edit the letter' ? 'Make it a new letter' : link.label
      expect(findingShown('launch', found, false).link?.label, found.code).toBe(label)
    }
  })

  it('says what to do about the server, the settings and the records', () => {
    const advice = (found: Found) => findingShown('launch', found, true).advice
    expect(advice({ ...wrong, code: 'mail-server', answer: '535 no' })).toBe(
      'Check SMTP_URL in the settings of the server, and ask your provider.',
    )
    expect(advice({ ...wrong, code: 'unsubscribing', url: 'https://a.example' })).toMatch(
      /^The server must answer at that address with this LINK_KEY/,
    )
    const time = {
      toSend: 1,
      perSecond: 1,
      rate: '1 a second',
      limit: 'rate',
      awayMs: 1,
      seconds: 1,
    } as const
    expect(advice({ ...wrong, code: 'time', ...time })).toMatch(/^Send faster/)
    const record = (about: 'SPF' | 'DKIM' | 'DMARC', is: 'missing' | 'unnamed') =>
      advice({ ...wrong, code: 'sender-record', about, is, name: 'a.example', answer: '' })
    expect(record('DKIM', 'unnamed')).toMatch(/type the selector that your mail provider gave you/)
    expect(record('DMARC', 'missing')).toMatch(/“v=DMARC1; p=none”$/)
    expect(record('DKIM', 'missing')).toMatch(/, or correct the selector\.$/)
    expect(record('SPF', 'missing')).toBe(
      'Set the record at your DNS provider, as your mail provider names it. It may take a day to be seen.',
    )
    const earlier = { about: 'soon', begunAt: 0, people: 3, isAlone: true }
    expect(advice({ ...wrong, code: 'earlier', ...earlier, isLeftOut: true })).toMatch(
      /^To tell them too, tick that letter /,
    )
    const several = { ...earlier, isAlone: false, isLeftOut: true }
    expect(advice({ ...wrong, code: 'earlier', ...several })).toMatch(/, tick each letter that/)
    expect(advice({ ...wrong, code: 'earlier', ...earlier, isLeftOut: false })).toBeUndefined()
  })

  it('says the fact alone where all is fine, or nothing at the desk helps', () => {
    const fine = findingShown('launch', { verdict: 'fine', code: 'mail-server' }, true)
    expect(fine).toEqual({ what: 'Mail server', detail: 'accepts the connection', verdict: 'fine' })
    for (const found of [
      { ...wrong, code: 'database', ms: 900 },
      { ...wrong, code: 'left-out', about: 'bounced', people: 3 },
      { ...wrong, code: 'letter-no-postal-address' },
      { ...wrong, code: 'invitation-key', wrong: { code: 'key-in-use' } },
    ] as const) {
      const shown = findingShown('launch', found, true)
      expect([shown.advice, shown.link], found.code).toEqual([undefined, undefined])
    }
    expect([inLanguage('de'), inLanguage(undefined), inLanguage('')]).toEqual([
      '?language=de',
      '',
      '',
    ])
  })
})

it('a refusal is said in words of the desk, and names no option of the command', () => {
  const id = 'launch'
  const refusals: [Refusal, RegExp][] = [
    [{ code: 'nothing-to-retry', id, retry: 'failed' } as Refusal, /^It was sent to nobody yet/],
    [
      { code: 'letter-asks', id, asked: 'question' },
      /^"launch" was sent as a letter that asks, from a terminal/,
    ],
    [{ code: 'no-such-announcement', id } as Refusal, /^There is no earlier letter "launch"/],
    [
      { code: 'another-runs', host: 'there', pid: 7 } as Refusal,
      /^A letter is being sent on there, by process 7\./,
    ],
    [{ code: 'overtaken' } as Refusal, /^Stopped: another run has begun meanwhile/],
    [
      { code: 'imbalance', eligible: 2000, rows: 1999 } as Refusal,
      /^Nobody got it: it is for 2,000 people, but 1,999 are in its queue\. Check again\.$/,
    ],
    [{ code: 'letter-name', name: 'X' } as unknown as Refusal, /^A name has only a–z, /],
    [{ code: 'letter-unreadable', answer: 'EISDIR' } as Refusal, /cannot be read: EISDIR$/],
    [{ code: 'letter-mistakes', mistakes: ['one', 'two'] } as unknown as Refusal, /^one\ntwo$/],
    [{ code: 'key-in-use' } as Refusal, /\w/],
    [{ code: 'key-unusable', answer: 'EACCES' } as Refusal, /EACCES/],
  ]
  for (const [refusal, words] of refusals) {
    const said = refusalShown(refusal)
    expect(said).toMatch(words)
    expect(said).not.toMatch(/ --[a-z]/)
  }
})
