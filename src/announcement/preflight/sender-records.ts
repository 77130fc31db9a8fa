import type { Found, FoundOf } from '../../shared/found.ts'
import { plainLine } from '../../shared/plain-line.ts'

/** Looks TXT records up, as `resolveTxt` of `node:dns/promises` does. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/**
 * Checks that a domain's DNS allows our mail: without that, inboxes refuse it.
 *
 * @param domain of the sender. @param dkimSelector the relay's, if it is known.
 */
export function checkSenderRecords(
  domain: string,
  dkimSelector: string | undefined,
  resolveTxt: ResolveTxt,
): Promise<Found[]> {
  const dkimName = `${dkimSelector}._domainkey.${domain}`
  return Promise.all([
    look(resolveTxt, 'SPF', [domain], /^v=spf1(\s|$)/i),
    // RFC 7489: a domain without a record of its own has that of the organisation.
    look(
      resolveTxt,
      'DMARC',
      domainAndParents(domain).map((name) => `_dmarc.${name}`),
      /^v=DMARC1\s*;/i,
    ),
    dkimSelector
      ? look(resolveTxt, 'DKIM', [dkimName], /(^|;)\s*p=[^;\s]/i)
      : record('DKIM', 'unknown', 'unnamed', domain, ''),
  ])
}

type RecordFound = FoundOf<'sender-record'>

const record = (
  about: RecordFound['about'],
  verdict: RecordFound['verdict'],
  is: RecordFound['is'],
  name: string,
  answer: string,
): Found => ({ code: 'sender-record', verdict, about, is, name, answer })

async function look(
  resolveTxt: ResolveTxt,
  about: RecordFound['about'],
  names: string[],
  pattern: RegExp,
): Promise<Found> {
  const [asked = ''] = names
  try {
    for (const name of names) {
      const [first, ...more] = (await lookUp(resolveTxt, name)).filter((one) => pattern.test(one))
      if (more.length > 0) return record(about, 'problem', 'several', name, `${more.length + 1}`)
      if (first !== undefined) return record(about, 'fine', 'there', name, plainLine(first))
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return record(about, 'problem', 'away', asked, reason)
  }
  return record(about, 'problem', 'missing', asked, '')
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
