import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { extname, join, sep } from 'node:path'
import { type BackendConfig, type OpeningBody, paths } from '../../shared/api.ts'
import { cacheControl } from '../../site/cache-control.ts'
import { dataHeaders, staticFileHeaders } from '../../site/security-headers.ts'
import { site } from '../../site/site.ts'
import { acceptedEncodings, type Encoding } from '../http/accept-encoding.ts'

/** One encoding of a file, ready to be sent. */
export interface Variant {
  readonly body: Buffer
  readonly etag: string
  readonly headers: OutgoingHttpHeaders
  /** The headers of a 304 answer. */
  readonly unchanged: OutgoingHttpHeaders
}

/** A file in each encoding that the build made. */
export interface SiteFile {
  readonly variants: Readonly<Partial<Record<Encoding, Variant>>> & { readonly identity: Variant }
}

/** By path from the site's root, such as `/robots.txt`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

const endings = { identity: '', br: '.br', gzip: '.gz' } as const

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/**
 * Reads the whole built site into memory, a few hundred kilobytes, so that no request opens a file.
 *
 * @param root the folder that the build's folder is in. @param security headers for each of them.
 * @param notFoundSecurity those of the 404 page, whose style is its own.
 */
export function readSiteFiles(
  root: string,
  appId: string,
  security: Readonly<Record<string, string>>,
  notFoundSecurity = security,
): SiteFiles {
  const folder = join(root, site.public)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const all = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name).slice(folder.length).replaceAll(sep, '/'),
      ),
  )
  const files = new Map<string, SiteFile>()
  for (const path of all) {
    if (/\.(br|gz)$/.test(path)) continue
    const contents: Contents = { identity: readFileSync(join(folder, path)) }
    for (const encoding of ['br', 'gzip'] as const) {
      const compressed = path + endings[encoding]
      if (all.has(compressed)) contents[encoding] = readFileSync(join(folder, compressed))
    }
    const own = path === `/${site.notFoundPage}` ? notFoundSecurity : security
    files.set(path, siteFile(path, contents, { ...own, ...staticFileHeaders }))
  }
  const index = files.get('/index.html')
  if (index) files.set('/', index)

  files.set(paths.opening, openingFile({}))
  const config: BackendConfig = { mode: 'embedded', appId }
  const contents = { identity: Buffer.from(JSON.stringify(config)) }
  files.set(paths.config, siteFile(paths.config, contents, security))
  return files
}

/**
 * The answer to pages in open tabs. It is short, since it is requested more often than all else.
 */
export function openingFile(body: OpeningBody): SiteFile {
  return siteFile(paths.opening, { identity: Buffer.from(JSON.stringify(body)) }, dataHeaders)
}

export type Contents = Partial<Record<Encoding, Buffer>> & { identity: Buffer }

/** A file as it is served. @param path from the site's root. @param headers for each of its answers. */
export function siteFile(path: string, contents: Contents, headers: OutgoingHttpHeaders): SiteFile {
  const vary = Object.keys(contents).length > 1 && { vary: 'accept-encoding' }
  const variant = (encoding: Encoding, body: Buffer): Variant => {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
    const unchanged = { ...headers, ...vary, 'cache-control': cacheControl(path), etag }
    return {
      body,
      etag,
      unchanged,
      headers: {
        ...unchanged,
        'content-type': types[extname(path)] ?? 'application/octet-stream',
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
        'content-length': body.length,
      },
    }
  }
  const entries = Object.entries(contents) as [Encoding, Buffer][]
  return {
    variants: Object.fromEntries(
      entries.map(([encoding, body]) => [encoding, variant(encoding, body)]),
    ) as SiteFile['variants'],
  }
}

/** The best encoding of a file for a request. @param header its `Accept-Encoding`. */
export function bestVariant({ variants }: SiteFile, header: string | undefined): Variant {
  for (const encoding of acceptedEncodings(header)) {
    const variant = variants[encoding]
    if (variant) return variant
  }
  return variants.identity
}
