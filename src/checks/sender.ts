import type { Finding, FindingOf } from '../shared/finding.ts'
import { plainLine } from '../shared/plain-line.ts'

/** Looks TXT records up, as `resolveTxt` of `node:dns/promises` does. */
export type ResolveTxt = (name: string) => Promise<string[][]>

type RecordFound = FindingOf<'sender-record'>
type Method = RecordFound['about']

/** What vouches for a sender. */
const methods: readonly Method[] = ['SPF', 'DMARC', 'DKIM']

/**
 * Checks that a domain's DNS allows our mail: without that, inboxes refuse it.
 *
 * @param domain of the sender. @param dkimSelector the relay's, if it is known.
 */
export function checkSenderRecords(
  domain: string,
  dkimSelector: string | undefined,
  resolveTxt: ResolveTxt,
): Promise<Finding[]> {
  const records: Readonly<Record<Method, readonly [names: string[], pattern: RegExp]>> = {
    SPF: [[domain], /^v=spf1(\s|$)/i],
    // RFC 7489: a domain without a record of its own has that of the organisation.
    DMARC: [domainAndParents(domain).map((name) => `_dmarc.${name}`), /^v=DMARC1\s*;/i],
    DKIM: [dkimSelector ? [`${dkimSelector}._domainkey.${domain}`] : [], /(^|;)\s*p=[^;\s]/i],
  }
  return Promise.all(methods.map((about) => look(resolveTxt, about, ...records[about])))
}

async function look(
  resolveTxt: ResolveTxt,
  about: Method,
  names: string[],
  pattern: RegExp,
): Promise<Finding> {
  const found = (is: RecordFound['is'], name: string, answer = ''): Finding => {
    const verdict = is === 'there' ? 'fine' : is === 'unnamed' ? 'unknown' : 'problem'
    return { code: 'sender-record', verdict, about, is, name, answer }
  }
  const [asked] = names
  if (asked === undefined) return found('unnamed', '')
  try {
    for (const name of names) {
      const [first, ...more] = (await lookUp(resolveTxt, name)).filter((one) => pattern.test(one))
      if (more.length > 0) return found('several', name, `${more.length + 1}`)
      if (first !== undefined) return found('there', name, plainLine(first))
    }
  } catch (error) {
    return found('away', asked, (error as NodeJS.ErrnoException).code ?? (error as Error).message)
  }
  return found('missing', asked)
}

async function lookUp(resolveTxt: ResolveTxt, name: string): Promise<string[]> {
  try {
    return (await resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    if (/^(ENOTFOUND|ENODATA)$/.test((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** `a.b.example.org`, `b.example.org`, `example.org` */
function domainAndParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, i) => labels.slice(i).join('.'))
}
