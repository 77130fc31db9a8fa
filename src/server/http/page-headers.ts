import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { securityHeaders } from '../../site/security-headers.ts'
import { type SiteManifest, site } from '../../site/site.ts'

/** The security headers of this build's pages. @param root the folder that the build's folder is in. */
export function readPageHeaders(root: string): Readonly<Record<string, string>> {
  return securityHeaders({ inline: manifestIn(root), formPosts: true })
}

/** The same of the pages behind a confirmation letter, whose style is their own. */
export function readConfirmHeaders(root: string): Readonly<Record<string, string>> {
  const { scriptHashes, confirmStyleHash } = manifestIn(root)
  const inline = { scriptHashes, styleHashes: [confirmStyleHash] }
  return securityHeaders({ inline, formPosts: true })
}

function manifestIn(root: string): SiteManifest {
  return JSON.parse(readFileSync(join(root, site.manifest), 'utf8'))
}
