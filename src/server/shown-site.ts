import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { paths } from '../shared/api.ts'
import { escapeHtml } from '../shared/escape-html.ts'
import { OPEN_URL_SLOT, site } from '../site/site.ts'
import { type BuiltLanguages, readManifest } from './http/built-languages.ts'
import type { Contents, SiteFile } from './http/site-file.ts'
import { firstPages, openingFile, readSiteFiles, type SiteFiles } from './routes/site-files.ts'

/** The site as it is shown now, with the Coming Soon page or the open one. */
export interface ShownSite {
  /** Replaced as a whole when the page changes. */
  readonly files: SiteFiles
  /** Where the open page's button leads, while it is open. */
  readonly openUrl: () => string | undefined
  /** Shows the open page, or with no `url` the other one. The last call counts. */
  turn(url: string | undefined): Promise<void>
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/**
 * @param root the folder that the build's folder is in.
 * @param languages in which the page was built: it turns in all of them at once.
 * @param ofFeatures what those that are on serve, by their paths.
 */
export function shownSite(
  root: string,
  appId: string,
  languages: BuiltLanguages,
  ofFeatures: readonly (readonly [string, SiteFile])[],
): ShownSite {
  const comingSoon = readSiteFiles(root, appId, languages, ofFeatures, readManifest(root).ownFiles)
  let files = comingSoon
  let openUrl: string | undefined
  let wanted: string | undefined

  return {
    get files() {
      return files
    },
    openUrl: () => openUrl,
    async turn(url) {
      wanted = url
      const turned =
        url === undefined ? comingSoon : await openFiles(root, comingSoon, url, languages)
      // Turned again while this was compressed.
      if (wanted !== url) return
      files = turned
      openUrl = url
    },
  }
}

async function openFiles(
  root: string,
  comingSoon: SiteFiles,
  url: string,
  languages: BuiltLanguages,
): Promise<SiteFiles> {
  const pages = languages.map(async ({ path }): Promise<Contents> => {
    const template = readFileSync(join(root, site.openPage(undefined, path)), 'utf8')
    const identity = Buffer.from(template.replaceAll(OPEN_URL_SLOT, () => escapeHtml(url)))
    const [br, gz] = await Promise.all([compress.br(identity), compress.gzip(identity)])
    return { identity, br, gzip: gz }
  })
  return new Map([
    ...comingSoon,
    ...firstPages(languages, await Promise.all(pages)),
    [paths.opening, openingFile({ open: url })],
  ])
}
