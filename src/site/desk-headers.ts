/**
 * The desk's own policy: nothing from elsewhere, inline only the named parts, in no frame, and
 * forms post only to the desk.
 *
 * @param inline CSP sources of the inline parts, such as `'sha256-…'`, quotes included.
 */
export function deskPolicy(inline: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inline].join(' '),
    ["style-src 'self'", ...inline].join(' '),
    "img-src 'self' data:",
    // Inline before there is a session, when no file can be had.
    "font-src 'self' data:",
    "connect-src 'self'",
    // Letters are shown in frames that have no source of their own.
    "frame-src 'self'",
    "worker-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The headers of every answer of the desk. */
export const deskAnswerHeaders = {
  'cache-control': 'no-store',
  // Another value than the visitors' pages have: then browsers let neither reach the other's window.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), browsing-topics=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  // Its paths name people, and it posts to itself alone.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const
