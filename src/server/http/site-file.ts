import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { cacheControl } from '../../site/cache-control.ts'
import { contentTypeOf } from '../../site/content-type.ts'
import { acceptedEncodings, type Encoding } from './accept-encoding.ts'

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
  /** Of a path that has several languages: the file that a browser asks for with `Accept-Language`. */
  readonly inLanguage?: (accepted: string | undefined) => SiteFile
  /** Whether to open it is a visit. */
  readonly isPage?: boolean
}

export type Contents = Partial<Record<Encoding, Buffer>> & { identity: Buffer }

interface Kind {
  readonly isPage?: boolean
  /** Whether its path has other content for other languages: then no cache may share it. */
  readonly isChosen?: boolean
}

/** A file as it is served. @param path from the site's root. @param headers for each of its answers. */
export function siteFile(
  path: string,
  contents: Contents,
  headers: OutgoingHttpHeaders,
  { isPage = false, isChosen = false }: Kind = {},
): SiteFile {
  const isCompressed = Object.keys(contents).length > 1
  const varies = [isCompressed && 'accept-encoding', isChosen && 'accept-language'].filter(Boolean)
  const vary = varies.length > 0 && { vary: varies.join(', ') }
  const caching = isChosen ? 'private, no-cache' : cacheControl(path)
  const variant = (encoding: Encoding, body: Buffer): Variant => {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
    const unchanged = { ...headers, ...vary, 'cache-control': caching, etag }
    return {
      body,
      etag,
      unchanged,
      headers: {
        ...unchanged,
        'content-type': contentTypeOf(path, contents.identity),
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
    isPage,
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
