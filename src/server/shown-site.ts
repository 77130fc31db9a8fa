import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { paths } from '../shared/api.ts'
import { staticFileHeaders } from '../site/security-headers.ts'
import { OPEN_URL_SLOT, site } from '../site/site.ts'
import { escapeAttribute } from './http/outcome-pages.ts'
import { openingFile, readSiteFiles, type SiteFiles, siteFile } from './routes/site-files.ts'

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
 * @param root the folder that the build's folder is in. @param security headers for each file of it.
 * @param notFoundSecurity those of the 404 page.
 */
export function shownSite(
  root: string,
  appId: string,
  security: Readonly<Record<string, string>>,
  notFoundSecurity: Readonly<Record<string, string>>,
): ShownSite {
  const comingSoon = readSiteFiles(root, appId, security, notFoundSecurity)
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
        url === undefined ? comingSoon : await openFiles(root, comingSoon, url, security)
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
  security: Readonly<Record<string, string>>,
): Promise<SiteFiles> {
  const template = readFileSync(join(root, site.openPage()), 'utf8')
  const identity = Buffer.from(template.replaceAll(OPEN_URL_SLOT, () => escapeAttribute(url)))
  const [br, gz] = await Promise.all([compress.br(identity), compress.gzip(identity)])
  const headers = { ...security, ...staticFileHeaders }
  const page = siteFile('/index.html', { identity, br, gzip: gz }, headers)
  return new Map([
    ...comingSoon,
    ['/', page],
    ['/index.html', page],
    [paths.opening, openingFile({ open: url })],
  ])
}
