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

/** Whether sources allow an address. @param page whose policy it is, for `'self'`. */
export function allows(sources: readonly string[], url: URL, page: URL): boolean {
  return sources.some((source) => {
    if (source === "'self'") return url.origin === page.origin
    if (source === '*') return true
    if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return source.toLowerCase() === url.protocol
    return isHost(source, url, page)
  })
}

/** @param source such as `*.example.com:*` or `https://*`, or with a path. */
function isHost(source: string, url: URL, page: URL): boolean {
  const whole = source.includes('://') ? source : `${page.protocol}//${source}`
  const anyPort = whole.replace(/:\*(?=\/|$)/, '')
  const rule = URL.parse(anyPort)
  if (!rule) return false
  const { protocol, hostname, port, pathname } = rule
  const isScheme = url.protocol === protocol || (protocol === 'http:' && url.protocol === 'https:')
  const isNamed = /^\*(\.|$)/.test(hostname)
    ? url.hostname.endsWith(hostname.slice(1))
    : url.hostname === hostname
  const isPort = anyPort !== whole || url.port === port
  // A folder stands for all that is in it.
  const isPath = pathname.endsWith('/')
    ? url.pathname.startsWith(pathname)
    : url.pathname === pathname
  return isScheme && isNamed && isPort && isPath
}
