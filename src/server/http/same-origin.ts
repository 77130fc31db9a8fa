import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { isOtherHost, isOwnHost, isSameOrigin } from '../../shared/same-origin.ts'
import { Refusal } from './refusal.ts'

/**
 * Refuses cross-origin requests (CSRF protection).
 *
 * @param publicUrl the origin that visitors see, and the only one that may post. Where it is not
 *   set, the origin must match the host of the request.
 * @param hostOf the host that a request asked. @returns a function that throws a Refusal.
 */
export function sameOriginOnly(
  publicUrl: string | null,
  hostOf: (request: IncomingMessage) => string,
  log: Pick<FastifyBaseLogger, 'warn'>,
): (request: IncomingMessage) => void {
  const said = new Set<string>()
  const sayOnce = (message: string) => {
    if (!said.has(message)) log.warn(message)
    said.add(message)
  }
  return (request) => {
    const { headers } = request
    const from = { origin: headers.origin, fetchSite: fetchSiteIn(headers), host: hostOf(request) }
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
    if (!isSame) throw new Refusal('cross-origin')
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
