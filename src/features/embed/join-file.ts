import { createHash } from 'node:crypto'

/** Where a script for forms on other sites is served, and what a page may hold it to. */
export interface JoinFile {
  /** From the site's root. Other content has another one, so that it may be kept for good. */
  readonly path: string
  /** For the attribute `integrity`. */
  readonly integrity: string
}

/** @param script as the build has left it. */
export function joinFileOf(script: string | Buffer): JoinFile {
  const hash = (algorithm: string) => createHash(algorithm).update(script)
  return {
    path: `/assets/join-${hash('sha256').digest('base64url').slice(0, 8)}.js`,
    integrity: `sha384-${hash('sha384').digest('base64')}`,
  }
}
