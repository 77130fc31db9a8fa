import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { Refusal } from './refusal.ts'

/**
 * A hook that refuses what another site sends in a visitor's name.
 *
 * @param publicUrl the origin that visitors see, where a proxy hides it from us.
 */
export function sameOriginOnly(publicUrl: string | null): onRequestHookHandler {
  return (request, _reply, done) => {
    done(isSameOrigin(request, publicUrl) ? undefined : new Refusal('cross-origin'))
  }
}

function isSameOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const fetchSite = request.headers['sec-fetch-site']
  // Browsers leave it out on plain http, except for localhost; no script of a page can set it.
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  const { origin } = request.headers
  if (origin === undefined) return false
  return origin === publicUrl || /^https?:\/\/(.+)$/.exec(origin)?.[1] === request.host
}
