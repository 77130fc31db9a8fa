/**
 * In a frame of the desk, a letter may only be looked at. The operator's HTML may have come from
 * anywhere: no script, no origin, nothing from elsewhere, no way out.
 */
export const letterFrameHeaders = {
  'content-security-policy': [
    'sandbox',
    "default-src 'none'",
    'img-src data:',
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
} as const
