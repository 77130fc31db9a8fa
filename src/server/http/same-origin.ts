import type { FastifyBaseLogger, FastifyRequest, onRequestHookHandler } from 'fastify'
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
  let said = false
  return (request, _reply, done) => {
    const isSame = publicUrl === null ? isOwnHost(request) : isFrom(publicUrl, request)
    if (!isSame && isOwnHost(request) && !said) {
      said = true
      // The name is not logged, since a client can send any.
      log.warn(
        `Our page was opened under another name than PUBLIC_URL, and from there nobody can sign up: let that name redirect to ${publicUrl}.`,
      )
    }
    done(isSame ? undefined : new Refusal('cross-origin'))
  }
}

/**
 * If another domain points to our server, a browser calls its requests same-origin. So the `Origin`
 * header decides, which browsers send with every POST.
 */
function isFrom(publicUrl: string, { headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = headers
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  return origin === undefined ? fetchSite !== undefined : origin === publicUrl
}

function isOwnHost({ headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = headers
  // Browsers omit it on plain http, except for localhost. No script can set it.
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  if (origin === undefined) return false
  return /^https?:\/\/(.+)$/.exec(origin)?.[1] === host
}
