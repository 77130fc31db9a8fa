/**
 * Where a founder's own page is as well: `/imprint` for `/imprint.html`, and `/press/` for
 * `/press/index.html`.
 *
 * @returns nothing for what is no page.
 */
export function cleanPath(path: string): string | undefined {
  return /^(.*\/)index\.html?$/.exec(path)?.[1] ?? /^(.*[^/])\.html?$/.exec(path)?.[1]
}

/** The path with a slash at its end, or without the one that it has: people write both. */
export const otherForm = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`)
