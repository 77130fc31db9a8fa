import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { securityHeaders } from '../../site/security-headers.ts'
import { type PageKind, type SiteManifest, site } from '../../site/site.ts'

/**
 * The security headers of this build's pages of a kind, since each kind has its own style.
 *
 * @param root the folder that the build's folder is in.
 */
export function readPageHeaders(root: string, kind: PageKind): Readonly<Record<string, string>> {
  const manifest: SiteManifest = JSON.parse(readFileSync(join(root, site.manifest), 'utf8'))
  const { scriptHashes, styleHashes } = manifest
  return securityHeaders({
    inline: { scriptHashes, styleHashes: [styleHashes[kind]] },
    formPosts: true,
  })
}
