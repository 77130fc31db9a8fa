import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Shown } from '../../people/pending.ts'
import { site } from '../../site/site.ts'
import { readManifest } from './built-languages.ts'

/** What the page shows in one language, and what once it is open. */
export interface ShownPages {
  readonly page: Shown
  readonly openPage: Shown
  /** What our form says on a page of another site, which may have changed it since it was pasted. */
  readonly formOn: (origin: string) => Shown
}

/**
 * Reads the words that this build of the page shows to visitors, for the receipt.
 *
 * @param root the folder that the build's folder is in.
 * @returns that of a language, as the browser names it; without one that we have, of the first.
 * @throws when it was built without CONFIRM=on.
 */
export function readShown(root: string): (language?: string) => ShownPages {
  const digestOf = (path: string) => {
    const page = readFileSync(join(root, path))
    return createHash('sha256').update(page).digest('hex').slice(0, 16)
  }
  const all = readManifest(root).languages.map(({ code: language, path, shown }) => {
    if (!shown) throw new Error('The page was built without CONFIRM=on.')
    const { words, openWords, formWords } = shown
    const page = digestOf(join(site.public, path, site.firstPage))
    const openPage = digestOf(site.openPage(undefined, path))
    return {
      page: { words, language, page },
      openPage: { words: openWords, language, page: openPage, isForNews: true as const },
      formOn: (origin: string) => ({ words: formWords, language, page: origin }),
    }
  })
  const [first] = all as [ShownPages, ...ShownPages[]]
  return (language) => all.find(({ page }) => page.language === language) ?? first
}
