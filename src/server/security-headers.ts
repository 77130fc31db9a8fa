import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SiteManifest, site } from '../shared/site.ts'

/**
 * What a browser may do with our answers: run what the build made, and talk to us alone.
 *
 * There is no `Strict-Transport-Security`: browsers remember it for months and for the whole host,
 * so that is for whoever ends TLS. Nor `upgrade-insecure-requests`: it breaks a page on plain http.
 *
 * @param root the folder that the build's folder is in.
 */
export function readSecurityHeaders(root: string): Readonly<Record<string, string>> {
  const manifest: SiteManifest = JSON.parse(readFileSync(join(root, site.manifest), 'utf8'))
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...manifest.scriptHashes].join(' '),
    ["style-src 'self'", ...manifest.styleHashes].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
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
