import type { Received } from '../../mail/received.ts'
import type { Found } from '../../shared/found.ts'
import { plainLine } from '../../shared/plain-line.ts'

/**
 * Whether an inbox could tell that a letter is from whom it says: what SPF and DKIM vouch for
 * counts only for the domain in From, as DMARC asks (RFC 9989, relaxed alignment).
 */
export function checkReceived({ domain, results }: Received): Found[] {
  const found = (about: 'SPF' | 'DKIM' | 'DMARC'): Found => {
    const named = results.filter(({ method }) => method === about.toLowerCase())
    const passed = named.filter(({ result }) => result === 'pass')
    const own = passed.find((one) => about === 'DMARC' || isAligned(one.domain, domain))
    const best = own ?? passed[0] ?? named[0] ?? { result: 'none', domain: '' }
    const data = { code: 'received', about, domain } as const
    const by = plainLine(best.domain, 80)
    if (own) return { ...data, verdict: 'fine', is: 'passed', by }
    if (passed.length === 0) return { ...data, verdict: 'problem', is: best.result, by }
    // DMARC is content with one of the two: many providers take bounces at a domain of their own.
    return { ...data, verdict: 'note', is: 'of-another', by }
  }
  return [found('SPF'), found('DKIM'), found('DMARC')]
}

/** A domain and one under it speak for each other. */
const isAligned = (one: string, other: string) =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
