/** CSP sources of what stands inline, quotes included. */
export interface Inline {
  readonly scriptHashes: readonly string[]
  readonly styleHashes: readonly string[]
}

interface Policy {
  /** CSP sources of what stands inline in the page. */
  readonly inline: Inline
  /** Origins that the page calls, beside its own. */
  readonly calls?: readonly string[]
  /** Sources of foreign scripts, and of the frames that these make. */
  readonly scripts?: readonly string[]
  readonly frames?: readonly string[]
  /** Whether the form may post to the page's own origin. */
  readonly formPosts: boolean
}

/**
 * The security headers of a page, with its content security policy: only the scripts of this build
 * run, and only our backend can be called.
 *
 * `Strict-Transport-Security` is missing: browsers keep it for months and for the whole host, so
 * the proxy that ends TLS should send it. `upgrade-insecure-requests` would break a page on plain
 * http.
 */
export function securityHeaders({
  inline,
  calls = [],
  scripts = [],
  frames = [],
  formPosts,
}: Policy) {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...inline.scriptHashes, ...scripts].join(' '),
    ["style-src 'self'", ...inline.styleHashes].join(' '),
    "img-src 'self' data:",
    // The typeface is inline in the style.
    'font-src data:',
    ["connect-src 'self'", ...calls].join(' '),
    ...(frames.length > 0 ? [['frame-src', ...frames].join(' ')] : []),
    "manifest-src 'self'",
    // A worker would stand between each later visitor and the server.
    "worker-src 'none'",
    `form-action ${formPosts ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), browsing-topics=()',
    // `no-referrer` would make browsers post `Origin: null`, and our own form would be refused.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** The security headers of all other answers: they allow nothing, and are short. */
export const dataHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/**
 * What a founder's own file may do as a page. Never `allow-same-origin`: its script would be one of
 * ours, at the desk and with every visitor.
 */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-popups allow-downloads allow-top-navigation-by-user-activation'

/**
 * The headers of a founder's own file. As a page its origin is `null`, so what it loads has to allow
 * every origin. All but PDF get the sandbox, in which browsers show none: script runs in HTML and SVG,
 * and in XML as well.
 *
 * @param page those of our page. @param type the file's own.
 */
export function ownFileHeaders(page: Readonly<Record<string, string>>, type: string) {
  return {
    ...page,
    ...staticFileHeaders,
    'access-control-allow-origin': '*',
    // Browsers load no page that has both a sandbox and a policy for its opener, and complain of the other.
    'cross-origin-opener-policy': 'unsafe-none',
    'origin-agent-cluster': '?0',
    ...(type !== 'application/pdf' && {
      'content-security-policy': `${SANDBOX}; ${page['content-security-policy']}`,
    }),
  }
}

/** Other sites may embed static files, such as the picture of a link preview. */
export const staticFileHeaders = { 'cross-origin-resource-policy': 'cross-origin' } as const
