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

const HOST = /^(?:([a-z]+):\/\/)?(\*\.)?([a-z0-9.-]+)(?::(\d+|\*))?(\/[^?#]*)?$/i

function isHost(source: string, url: URL, page: URL): boolean {
  const [, scheme, star, host = '', port, path = ''] = HOST.exec(source) ?? []
  if (!host) return false
  const asked = url.hostname.toLowerCase()
  const isNamed = star ? asked.endsWith(`.${host.toLowerCase()}`) : asked === host.toLowerCase()
  const protocol = scheme ? `${scheme.toLowerCase()}:` : page.protocol
  const isScheme = url.protocol === protocol || (protocol === 'http:' && url.protocol === 'https:')
  const isPort = port === '*' || (port ? usual(url) === port : url.port === '')
  const isPath =
    path === '' || (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path)
  return isNamed && isScheme && isPort && isPath
}

const usual = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
