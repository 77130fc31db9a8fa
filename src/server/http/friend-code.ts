import type { FastifyRequest } from 'fastify'
import { isAddressId } from '../../keys/address-id.ts'
import { queryIn, queryOf } from '../../shared/source.ts'
import { FRIEND_PARAMETER } from '../../site/site.ts'
import { sourceOf } from './source-of.ts'

/**
 * The code of the personal link by which a visitor came, from the same places as their source. It
 * has the form of one, and may be nobody's.
 */
export function friendCodeOf({ url, headers }: FastifyRequest): string | undefined {
  const given = [url, headers.referer].map((one) => queryIn(one)?.get(FRIEND_PARAMETER) ?? '')
  return given.find(isAddressId)
}

/** The query of a page from which the same visitor may sign up: with their source and that code. */
export function nextQueryOf(request: FastifyRequest): string {
  const query = queryOf(sourceOf(request) ?? {})
  const code = friendCodeOf(request)
  return code === undefined ? query : `${query || '?'}${query && '&'}${FRIEND_PARAMETER}=${code}`
}
