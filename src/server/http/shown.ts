import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SiteManifest, site } from '../../site/site.ts'
import type { Shown } from '../../store/pending.ts'

/**
 * The words that this build of the page shows to visitors, for the receipt.
 *
 * @param root the folder that the build's folder is in. @throws when it was built without CONFIRM=on.
 */
export function readShown(root: string): { readonly page: Shown; readonly openPage: Shown } {
  const manifest: SiteManifest = JSON.parse(readFileSync(join(root, site.manifest), 'utf8'))
  if (!manifest.shown) throw new Error('The page was built without CONFIRM=on.')
  const { words, openWords, language } = manifest.shown
  const digestOf = (path: string) => {
    const page = readFileSync(join(root, path))
    return createHash('sha256').update(page).digest('hex').slice(0, 16)
  }
  return {
    page: { words, language, page: digestOf(join(site.public, 'index.html')) },
    openPage: { words: openWords, language, page: digestOf(site.openPage()) },
  }
}
