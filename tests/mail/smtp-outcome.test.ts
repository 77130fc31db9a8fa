import { describe, expect, it } from 'vitest'
import { withoutAddresses } from '../../src/mail/smtp-outcome.ts'

describe('the answer of a mail server, as it is kept', () => {
  it('names no address, however it is written or hidden', () => {
    for (const said of [
      'ada@example.com',
      '<ada@example.com>',
      'ad\u200ba@exam\x07ple.com',
      '"ada"@example.com',
      '<"ada lovelace"@example.com>',
    ])
      expect(withoutAddresses(`550 ${said} unknown`), said).toBe('550 <address> unknown')
  })

  it('names none that was cut in two, either', () => {
    const long = `${'x@'.padEnd(250, 'y')} `.repeat(18)
    for (const filler of ['.', ' '])
      for (let fill = 230; fill < 290; fill += 1) {
        const answer = withoutAddresses(`550 ${long}${filler.repeat(fill)} ada@example.com`)
        expect(answer).not.toMatch(/ada|exam/)
      }
  })

  it('keeps the sign where it is no address', () => {
    expect(withoutAddresses('250 @ 12:00 queued as @7 by a@')).toBe(
      '250 @ 12:00 queued as @7 by a@',
    )
  })

  it('is short', () => {
    expect(withoutAddresses(`550 ${'no '.repeat(1000)}`)).toHaveLength(300)
  })

  // A pattern that looks at each character from each would need minutes.
  it('takes no time, whatever the server sends', { tags: 'thorough', timeout: 30_000 }, () => {
    for (const character of ['x', '@', '"', '<', ' ', '\x1b', '.@'])
      for (const end of ['', '@', ' '])
        expect(withoutAddresses(`550 ${character.repeat(5e6)}${end}`).length).toBeLessThan(301)
  })
})
