import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type BackendConfig, type OpeningBody, OWN_SERVER, paths } from '../../shared/api.ts'
import { contentTypeOf } from '../../site/content-type.ts'
import { cleanPath } from '../../site/own-paths.ts'
import { dataHeaders, ownFileHeaders, staticFileHeaders } from '../../site/security-headers.ts'
import { type PageKind, site } from '../../site/site.ts'
import { languageChooser } from '../http/accept-language.ts'
import type { BuiltLanguages } from '../http/built-languages.ts'
import { type Contents, type SiteFile, siteFile } from '../http/site-file.ts'

/** By path from the site's root, such as `/robots.txt`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

const endings = { identity: '', br: '.br', gzip: '.gz' } as const

/**
 * Reads the whole built site into memory, a few hundred kilobytes, so that no request opens a file.
 *
 * @param root the folder that the build's folder is in.
 * @param languages in which it was built. What is no page is sent with the headers of the first.
 * @param ofFeatures what those that are on serve, by their paths.
 * @param own the paths of the founder's own files.
 */
export function readSiteFiles(
  root: string,
  appId: string,
  languages: BuiltLanguages,
  ofFeatures: readonly (readonly [string, SiteFile])[],
  own: readonly string[],
): SiteFiles {
  const security = languages[0].headers.first
  const files = new Map<string, SiteFile>()
  const contents = readContents(join(root, site.public))
  for (const [path, content] of contents) {
    const headers = own.includes(path)
      ? ownFileHeaders(security, contentTypeOf(path, content.identity))
      : { ...security, ...staticFileHeaders }
    files.set(path, siteFile(path, content, headers))
  }
  for (const path of own) {
    const [clean, file] = [cleanPath(path), files.get(path)]
    if (clean && file && !files.has(clean)) files.set(clean, file)
  }
  const pagesOf = (name: string) =>
    languages.flatMap(({ path }) => contents.get(`${path}/${name}`) ?? [])
  const pages = [
    ...firstPages(languages, pagesOf(site.firstPage)),
    ...inLanguages(languages, site.notFoundPage, 'plain', pagesOf(site.notFoundPage)),
  ]
  for (const [path, file] of pages) files.set(path, file)

  for (const [path, file] of ofFeatures) files.set(path, file)
  files.set(paths.opening, openingFile({}))
  const config: BackendConfig = { mode: OWN_SERVER, appId }
  const backend = { identity: Buffer.from(JSON.stringify(config)) }
  files.set(paths.config, siteFile(paths.config, backend, security))
  return files
}

/** Each file by its path, with the encodings that are beside it. */
function readContents(folder: string): ReadonlyMap<string, Contents> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const all = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name).slice(folder.length).replaceAll(sep, '/'),
      ),
  )
  const files = new Map<string, Contents>()
  for (const path of all) {
    if (/\.(br|gz)$/.test(path)) continue
    const contents: Contents = { identity: readFileSync(join(folder, path)) }
    for (const encoding of ['br', 'gzip'] as const) {
      const compressed = path + endings[encoding]
      if (all.has(compressed)) contents[encoding] = readFileSync(join(folder, compressed))
    }
    files.set(path, contents)
  }
  return files
}

/** The page by each of its paths. @param contents of it in each language. */
export function firstPages(
  languages: BuiltLanguages,
  contents: readonly Contents[],
): readonly (readonly [string, SiteFile])[] {
  const pages = inLanguages(languages, site.firstPage, 'first', contents)
  const asFolders = pages.map(([path, page]) => [path.replace(site.firstPage, ''), page] as const)
  return [...pages, ...asFolders]
}

/** A page in each language at that one's path, and without a path as a browser asks for it. */
function inLanguages(
  languages: BuiltLanguages,
  name: string,
  kind: PageKind,
  contents: readonly Contents[],
): readonly (readonly [string, SiteFile])[] {
  const filesOf = (isChosen: boolean) =>
    contents.flatMap((content, place) => {
      const headers = { ...languages[place]?.headers[kind], ...staticFileHeaders }
      return siteFile(`/${name}`, content, headers, { isPage: kind === 'first', isChosen })
    })
  const own = filesOf(false).map((file, i) => [`${languages[i]?.path}/${name}`, file] as const)
  if (own.length < 2) return own
  const chosen = filesOf(true)
  const choose = languageChooser(languages.map(({ code }) => code))
  const [first] = chosen as [SiteFile, ...SiteFile[]]
  const inLanguage = (accepted: string | undefined) => chosen[choose(accepted)] ?? first
  return [...own, [`/${name}`, { ...first, inLanguage }]]
}

/**
 * The answer to pages in open tabs. It is short, since it is requested more often than all else.
 */
export function openingFile(body: OpeningBody): SiteFile {
  return siteFile(paths.opening, { identity: Buffer.from(JSON.stringify(body)) }, dataHeaders)
}
