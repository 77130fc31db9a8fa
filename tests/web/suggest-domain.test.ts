import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { providers, suggestDomain } from '../../src/web/suggest-domain.ts'

/** The textbook's table, for two texts: insert, delete, replace, swap two neighbours. */
function damerauLevenshtein(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, i) => [i])
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let j = 0; j <= other.length; j += 1)
    for (let i = 0; i <= one.length; i += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const least = Math.min(
        ...[at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same],
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      const row = rows[i]
      if (row) row[j] = i + j === 0 ? 0 : least
    }
  return at(one.length, other.length)
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789-.,']

/** Everything that one slip of a finger makes of a domain, and whether the slip touched its name. */
function slipsOf(domain: string) {
  const dot = domain.indexOf('.')
  const slips = new Map<string, 'name' | 'swap' | 'behind'>()
  for (let at = 0; at <= domain.length; at += 1) {
    const [before, after] = [domain.slice(0, at), domain.slice(at)]
    const where = at > dot ? 'behind' : 'name'
    for (const letter of LETTERS) {
      slips.set(before + letter + after, where)
      slips.set(before + letter + after.slice(1), where)
    }
    slips.set(before + after.slice(1), where)
    slips.set(before + after.charAt(1) + after.charAt(0) + after.slice(2), 'swap')
  }
  for (const one of providers) slips.delete(one)
  return [...slips]
}

describe('a domain is suggested', () => {
  it('of some forty providers, each once', () => {
    expect(providers.length).toBeGreaterThanOrEqual(40)
    expect(new Set(providers).size).toBe(providers.length)
  })

  it('never to who writes one of theirs', () => {
    for (const provider of providers) {
      expect(suggestDomain(`ada@${provider}`)).toBe('')
      expect(suggestDomain(` Ada@${provider.toUpperCase()} `)).toBe('')
    }
  })

  it('for every slip of a finger in one of theirs, but in a short name', () => {
    for (const provider of providers) {
      const isShort = provider.indexOf('.') <= 3
      const slips = slipsOf(provider)
      expect(slips.length).toBeGreaterThan(300)
      const wrong = slips.filter(([slip, where]) => {
        const suggested = suggestDomain(`ada@${slip}`)
        if (suggested === '') return !isShort || where !== 'name'
        // Another may be as near, and used more.
        return suggested !== provider && damerauLevenshtein(slip, suggested) !== 1
      })
      expect(wrong, provider).toEqual([])
    }
  })

  it('for the slips that are made most, the most used provider first', () => {
    const known = {
      'gmial.com': 'gmail.com',
      'gmail.con': 'gmail.com',
      'gmail.co': 'gmail.com',
      'gmai.com': 'gmail.com',
      'gmail,com': 'gmail.com',
      gmailcom: 'gmail.com',
      'gail.com': 'gmail.com',
      'hotmial.com': 'hotmail.com',
      'yaho.com': 'yahoo.com',
      'outlok.com': 'outlook.com',
      'icloud.cm': 'icloud.com',
      'gxm.de': 'gmx.de',
      'web.dee': 'web.de',
    }
    for (const [typed, meant] of Object.entries(known))
      expect(suggestDomain(`Ada.Lovelace+x@${typed.toUpperCase()} `), typed).toBe(meant)
  })

  it('also behind signs, in angle brackets, and for letters that a browser encoded', () => {
    const known = {
      'ada@gmail.com”': 'gmail.com',
      'max@gmail.xn--com-9o0a': 'gmail.com',
      'ada@gmial.com”': 'gmail.com',
      'ada@gmàil.com': 'gmail.com',
      'ada@xn--gmil-1na.com': 'gmail.com',
      'ada＠ｇｍｉａｌ．ｃｏｍ': 'gmail.com',
      'Ada <ada@gmial.com>': 'gmail.com',
      'mailto:ada@outlok.com?subject=Hi': 'outlook.com',
    }
    for (const [typed, meant] of Object.entries(known))
      expect(suggestDomain(typed), typed).toBe(meant)
  })

  it('never for a company that is one letter from a short name', () => {
    for (const company of ['aon.com', 'ge.com', 'hp.com', 'ms.com', 'man.com', 'we.com'])
      expect(suggestDomain(`ada@${company}`), company).toBe('')
  })

  it('never for what is further away, or no address yet', () => {
    for (const typed of ['', 'ada', 'ada@', 'ada@g', 'ada@gmail', 'gmial.com', 'ada@example.com'])
      expect(suggestDomain(typed), typed).toBe('')
    fc.assert(
      fc.property(
        fc.constantFrom(...providers),
        fc.array(fc.tuple(fc.nat(14), fc.constantFrom('', 'a', 'm', '.', 'ai')), { maxLength: 3 }),
        (provider, changes) => {
          const typed = changes.reduce(
            (text, [at, letters]) => text.slice(0, at) + letters + text.slice(at + 1),
            provider,
          )
          const suggested = suggestDomain(`ada@${typed}`)
          if (suggested !== '') expect(damerauLevenshtein(typed, suggested)).toBe(1)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('in a time that grows no faster than what was pasted', () => {
    const timeOf = (length: number) => {
      const pasted = `ada@${'gmail '.repeat(length)}`
      const times = Array.from({ length: 20 }, () => {
        const start = performance.now()
        expect(suggestDomain(pasted)).toBe('')
        return performance.now() - start
      })
      return Math.min(...times)
    }
    timeOf(10)
    // Four times as much takes less than four times as long; where a cube grows, 64 times.
    expect(timeOf(40) / timeOf(10)).toBeLessThan(15)
  })
})
