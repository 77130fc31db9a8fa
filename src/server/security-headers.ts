import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyHelmetOptions } from '@fastify/helmet'
import { type SiteManifest, site } from '../shared/site.ts'

/**
 * What a browser may do with our answers: run what the build made, and talk to us alone.
 *
 * @param root the folder that the build's folder is in.
 */
export function readSecurityHeaders(root: string): FastifyHelmetOptions {
  const manifest: SiteManifest = JSON.parse(readFileSync(join(root, site.manifest), 'utf8'))
  return {
    contentSecurityPolicy: {
      // Helmet's own would upgrade requests to https, which breaks a page on plain http.
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...manifest.scriptHashes],
        styleSrc: ["'self'", ...manifest.styleHashes],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // `no-referrer` would make browsers post `Origin: null`, and our own form would be refused.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // For whoever ends TLS to decide: browsers remember it for months, for the whole host.
    strictTransportSecurity: false,
    // These speak to browsers and plug-ins that are gone.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }
}
