import type { FastifyBaseLogger, onRequestHookHandler } from 'fastify'
import { isOtherHost, isOwnHost, isSameOrigin } from '../../shared/same-origin.ts'
import { Refusal } from './refusal.ts'

/**
 * A hook that refuses cross-origin requests (CSRF protection).
 *
 * @param publicUrl the origin that visitors see, and the only one that may post. Where it is not
 *   set, the origin must match the host of the request.
 */
export function sameOriginOnly(
  publicUrl: string | null,
  log: Pick<FastifyBaseLogger, 'warn'>,
): onRequestHookHandler {
  const said = new Set<string>()
  const sayOnce = (message: string) => {
    if (!said.has(message)) log.warn(message)
    said.add(message)
  }
  return ({ headers, host }, _reply, done) => {
    const from = { origin: headers.origin, fetchSite: fetchSiteIn(headers), host }
    const isSame = isSameOrigin(publicUrl, from)
    if (!isSame && isOwnHost(from))
      // The name is not logged, since a client can send any.
      sayOnce(
        `Our page was opened under another name than PUBLIC_URL, and visitors cannot sign up from there: let that name redirect to ${publicUrl}.`,
      )
    if (publicUrl === null && isOtherHost(from))
      sayOnce(
        'A form was refused: its page is at another host than the header Host names. If it is ours, set PUBLIC_URL to the address of the page, or let the proxy pass Host on as it came.',
      )
    done(isSame ? undefined : new Refusal('cross-origin'))
  }
}

function fetchSiteIn({
  'sec-fetch-site': value,
}: {
  'sec-fetch-site'?: string | string[] | undefined
}) {
  // Node joins repeated headers.
  return value === undefined ? undefined : String(value)
}
