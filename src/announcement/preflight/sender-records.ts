import type { Finding } from '../../shared/finding.ts'
import { plainLine } from '../../shared/plain-line.ts'

/** Looks TXT records up, as `resolveTxt` of `node:dns/promises` does. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/**
 * Whether a domain's DNS says that our mail is its own: without that, inboxes turn it away.
 *
 * @param domain of the sender. @param dkimSelector the relay's, if it is known.
 */
export function checkSenderRecords(
  domain: string,
  dkimSelector: string | undefined,
  resolveTxt: ResolveTxt,
): Promise<Finding[]> {
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
      : { what: 'DKIM', verdict: 'unknown', detail: 'name its selector with --dkim-selector' },
  ])
}

async function look(
  resolveTxt: ResolveTxt,
  what: string,
  names: string[],
  pattern: RegExp,
): Promise<Finding> {
  try {
    for (const name of names) {
      const records = (await lookUp(resolveTxt, name)).filter((record) => pattern.test(record))
      const [record] = records
      if (records.length > 1)
        return {
          what,
          verdict: 'problem',
          detail: `${name} has ${records.length} records, one counts`,
        }
      if (record !== undefined)
        return { what, verdict: 'fine', detail: plainLine(`${name}: ${record}`) }
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return { what, verdict: 'problem', detail: `${names[0]} could not be looked up (${reason})` }
  }
  return { what, verdict: 'problem', detail: `${names[0]} has no record` }
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
