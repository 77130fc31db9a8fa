import { describe, expect, it } from 'vitest'
import { crowdWatch } from '../../../src/cli/commands/crowding.ts'

function crowdsOf(...groups: Iterable<string>[]) {
  const watch = crowdWatch()
  for (const group of groups) for (const email of group) watch.see(email)
  return watch.crowds()
}

const some = (count: number, email: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => email(i))

describe('what stands out among sign-ups', () => {
  it('is a domain that is no public provider, from fifty and one in twenty on', () => {
    const usual = some(1000, (i) => `person${i}@gmail.com`)
    const many = (count: number) => some(count, (i) => `p${i}@flood.example`)
    expect(crowdsOf(usual)).toEqual([])
    expect(crowdsOf(usual, many(52))).toEqual([])
    expect(crowdsOf(usual, many(53))).toEqual([
      { kind: 'domain', name: 'flood.example', count: 53 },
    ])
    expect(crowdsOf(many(49))).toEqual([])
    expect(crowdsOf(many(50))).toHaveLength(1)
  })

  it('is a mailbox under many names, from five on', () => {
    const dots = ['victim', 'v.ictim', 'vi.ctim', 'v.i.ctim+a'].map((name) => `${name}@gmail.com`)
    expect(crowdsOf(dots)).toEqual([])
    expect(crowdsOf(dots, ['victim+5@googlemail.com'])).toEqual([
      { kind: 'mailbox', name: 'victim@gmail.com', count: 5 },
    ])
  })

  it('is found among far more names than are counted at once', () => {
    const watch = crowdWatch()
    for (let i = 0; i < 60_000; i += 1) {
      watch.see(`person${i}@host${i}.example`)
      if (i % 10 === 0) watch.see(`victim+${i}@flood.example`)
    }
    const [domain, mailbox] = watch.crowds()
    expect(domain).toMatchObject({ kind: 'domain', name: 'flood.example' })
    expect(mailbox).toMatchObject({ kind: 'mailbox', name: 'victim@flood.example' })
    expect(domain?.count).toBeGreaterThan(5_900)
  })
})
