import { isLoopback } from '../../shared/open-url.ts'
import { parsePublicUrl } from '../../shared/public-url.ts'

/**
 * Reads one of `EMBED_ORIGINS`: a site whose pages may have our form.
 *
 * @returns it as browsers write it in `Origin`; `undefined` for anything else.
 */
export function parseEmbedOrigin(text: string): string | undefined {
  // `URL` drops line ends and tabs, takes a backslash for a slash, and lets a host have a star.
  if (/[\p{C}\p{Z}\\*]/u.test(text)) return undefined
  const origin = parsePublicUrl(text)
  if (!origin) return undefined
  const { protocol, hostname } = new URL(origin)
  // A page on plain http can be changed by anybody on its way.
  return protocol === 'https:' || isLoopback(hostname) ? origin : undefined
}

const LONGEST = 1000

/**
 * Reads the page that a form names to come back to. A visitor is sent there, so it must be on one of
 * these sites, whatever a URL may hide. An address in its query or fragment would be in histories
 * and logs.
 *
 * @returns it as browsers write it; `undefined` where it is no such page.
 */
export function parseBack(text: string, origins: readonly string[]): string | undefined {
  if (text.length > LONGEST || /[\p{C}\p{Z}\\]/u.test(text)) return undefined
  const url = URL.parse(text)
  const origin = origins.find((one) => one === url?.origin)
  // Written out, and followed by what ends a host: no name or password, and no longer host.
  if (!url || !origin || !text.startsWith(origin)) return undefined
  if (!/^(?:[/?#]|$)/.test(text.slice(origin.length))) return undefined
  return /@|%40/.test(url.search + url.hash) ? undefined : url.href
}
