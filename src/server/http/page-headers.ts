import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { securityHeaders } from '../../site/security-headers.ts'
import { type SiteManifest, site } from '../../site/site.ts'

/** The security headers of this build's pages. @param root the folder that the build's folder is in. */
export function readPageHeaders(root: string): Readonly<Record<string, string>> {
  const inline: SiteManifest = JSON.parse(readFileSync(join(root, site.manifest), 'utf8'))
  return securityHeaders({ inline, formPosts: true })
}
