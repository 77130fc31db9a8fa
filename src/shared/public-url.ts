/**
 * Reads the setting `PUBLIC_URL`: where visitors find the page.
 *
 * @returns the origin, without a slash at the end, or `null` where it is not set.
 * @throws with one sentence that says what is wrong.
 */
export function parsePublicUrl(setting: string | undefined): string | null {
  if (setting === undefined || setting === '') return null
  const url = URL.parse(setting)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`PUBLIC_URL: "${setting}" is not an address such as https://example.com`)
  if (url.href !== `${url.origin}/`)
    throw new Error(
      'PUBLIC_URL: the page stands at the root of its host, so no path, query or user',
    )
  return url.origin
}
