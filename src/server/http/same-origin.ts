import type { FastifyBaseLogger, onRequestHookHandler } from 'fastify'
import { isOwnHost, isSameOrigin } from '../../shared/same-origin.ts'
import { Refusal } from './refusal.ts'

/**
 * A hook that refuses cross-origin requests (CSRF protection).
 *
 * @param publicUrl the origin that visitors see, and the only one that may post. Where it is not
 *   set, the origin must match the host of the request.
 */
export function sameOriginOnly(
  publicUrl: string | null,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): onRequestHookHandler {
  let said = false
  let saidOfNone = false
  return ({ headers, host }, _reply, done) => {
    const from = { origin: headers.origin, fetchSite: fetchSiteIn(headers), host }
    const isSame = isSameOrigin(publicUrl, from)
    if (!isSame && isOwnHost(from) && !said) {
      said = true
      // The name is not logged, since a client can send any.
      log.warn(
        `Our page was opened under another name than PUBLIC_URL, and visitors cannot sign up from there: let that name redirect to ${publicUrl}.`,
      )
    }
    if (!isSame && from.origin === undefined && from.fetchSite === undefined && !saidOfNone) {
      saidOfNone = true
      log.info(
        'A form without an Origin header was refused: only our own pages may post. To try it by a program, send that header.',
      )
    }
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
