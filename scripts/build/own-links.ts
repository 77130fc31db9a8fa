import type { OfferedLanguage } from '../../src/product/languages.ts'
import { cleanPath, otherForm } from '../../src/site/own-paths.ts'

/**
 * Finds links at the foot of the page that lead to a place of its own site where nothing is.
 *
 * @param own the founder's own files, by their path in `public`.
 * @returns one sentence for each.
 */
export function findDeadLinks(
  languages: readonly OfferedLanguage[],
  publicUrl: string | null,
  own: Iterable<string>,
): string[] {
  const files = [...own].map((path) => `/${path}`)
  const found = new Set([
    ...['/', ...languages.map(({ path }) => `${path}/`), ...files],
    ...files.flatMap((path) => cleanPath(path) ?? []),
  ])
  const isThere = (path: string) => found.has(path) || found.has(otherForm(path))
  return languages.flatMap(({ product, code }, place) =>
    Object.entries(product.links ?? {}).flatMap(([words, target]) => {
      const path = ownPathOf(target, publicUrl)
      if (path === undefined || isThere(path)) return []
      const where = place === 0 ? '' : `languages: ${code}: `
      const page = `public${path.replace(/\/$/, '')}.html`
      return [
        `product.config.ts: ${where}links: "${words}" leads to ${path}, where nothing is: ${page} would be there`,
      ]
    }),
  )
}

/** The path of a link to the page's own site. */
function ownPathOf(target: string, publicUrl: string | null): string | undefined {
  const site = publicUrl ?? 'http://localhost'
  const url = URL.parse(target, site)
  if (url?.origin !== new URL(site).origin) return undefined
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return url.pathname
  }
}
