import type { FastifyBaseLogger, FastifyRequest, onRequestHookHandler } from 'fastify'
import { Refusal } from './refusal.ts'

/**
 * A hook that refuses what another site sends in a visitor's name.
 *
 * @param publicUrl the origin that visitors see, and the only one that may post; where it is not
 *   set, whatever host the visitor asked for.
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
      // The other name is not repeated: anybody may have made it up.
      log.warn(
        `Our page was opened under another name than PUBLIC_URL, and from there nobody can sign up: let that name redirect to ${publicUrl}.`,
      )
    }
    done(isSame ? undefined : new Refusal('cross-origin'))
  }
}

/**
 * A name that somebody else has let lead to us is no origin of ours, though the browser calls it the
 * same: so the origin decides, which browsers send with every post.
 */
function isFrom(publicUrl: string, { headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = headers
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  return origin === undefined ? fetchSite !== undefined : origin === publicUrl
}

function isOwnHost({ headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = headers
  // Browsers leave it out on plain http, except for localhost; no script of a page can set it.
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  if (origin === undefined) return false
  return /^https?:\/\/(.+)$/.exec(origin)?.[1] === host
}
