/**
 * Reads the setting `PUBLIC_URL`: where visitors find the page.
 *
 * @returns the origin, without a slash at the end; `null` for an empty setting, which means that
 *   it is not known; `undefined` for an invalid address.
 */
export function parsePublicUrl(setting: string): string | null | undefined {
  if (setting === '') return null
  const url = URL.parse(setting)
  const isOrigin = url && `${url.origin}/` === url.href && /^https?:$/.test(url.protocol)
  return isOrigin ? url.origin : undefined
}
