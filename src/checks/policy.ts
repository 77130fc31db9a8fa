/** A content security policy: its sources by directive. */
type Policy = ReadonlyMap<string, readonly string[]>

/** @param text of a header, which may hold several, or of a `<meta>`. */
export function policiesIn(text: string): Policy[] {
  return text.split(',').map((policy) => {
    const directives = policy.split(';').map((one) => one.trim().split(/\s+/))
    // The first of a name counts.
    const named = directives.toReversed().flatMap(([name = '', ...sources]) => {
      return name ? [[name.toLowerCase(), sources] as const] : []
    })
    return new Map(named)
  })
}

/** The sources that count for a kind of load; nothing where all are allowed. */
export function sourcesFor(policy: Policy, kind: 'form' | 'script' | 'connect' | 'style') {
  const get = (name: string) => policy.get(name)
  if (kind === 'form') return get('form-action')
  if (kind === 'connect') return get('connect-src') ?? get('default-src')
  if (kind === 'style') return get('style-src-elem') ?? get('style-src') ?? get('default-src')
  return get('script-src-elem') ?? get('script-src') ?? get('default-src')
}

/** Whether sources allow a style or script that stands in the page itself, of this hash. */
export function allowsInline(sources: readonly string[], hash: string): boolean {
  if (sources.includes(hash)) return true
  // Beside a nonce or a hash, browsers ignore it.
  return (
    sources.includes("'unsafe-inline'") && !sources.some((one) => /^'(nonce|sha\d+)-/.test(one))
  )
}

/** Whether sources name an address, in one of the usual ways. @param page whose policy it is, for `'self'`. */
export function allows(sources: readonly string[], url: URL, page: URL): boolean {
  const { protocol, host, origin, href } = url
  const siblings = host.replace(/^[^.]+/, '*')
  const names = ['*', protocol, host, siblings, `${protocol}//${siblings}`]
  const all = [...names, origin, `${origin}/`, href, ...(origin === page.origin ? ["'self'"] : [])]
  return sources.some((source) => all.includes(source.toLowerCase()))
}
