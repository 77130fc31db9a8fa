import { paths } from '../shared/api.ts'
import { isLoopback } from '../shared/open-url.ts'

/**
 * Where unsubscribe links lead, from the settings `UNSUBSCRIBE_URL` and `PUBLIC_URL`.
 *
 * @returns it without a slash at the end; `undefined` if it is missing or not https. Mail providers
 *   follow only https; a server on this machine may use http, for trials.
 */
export function unsubscribeUrl(setting: string, publicUrl: string): string | undefined {
  const url = URL.parse(setting || (publicUrl && publicUrl.replace(/\/$/, '') + paths.unsubscribe))
  if (!url || url.username || url.search || url.hash) return undefined
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return isAllowed ? url.href.replace(/\/$/, '') : undefined
}

/** What the setting that is missing or wrong must be. @param setting `UNSUBSCRIBE_URL` */
export const unsubscribeUrlRule = (setting: string | undefined) =>
  setting?.trim()
    ? 'UNSUBSCRIBE_URL: must be the https address of the unsubscribe page'
    : 'PUBLIC_URL: must be the https address of the page, where unsubscribe links lead; if they lead elsewhere, set UNSUBSCRIBE_URL'
