import { paths } from '../../shared/api.ts'
import { isLoopback } from '../../shared/open-url.ts'

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

export const UNSUBSCRIBE_URL_RULE =
  'UNSUBSCRIBE_URL: must be the https address of the unsubscribe page, unless PUBLIC_URL is set'
