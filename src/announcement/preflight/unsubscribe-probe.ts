import type { AddressIds } from '../../keys/address-id.ts'
import type { UnsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import type { Standings } from '../../store/standing.ts'
import { statusOf } from './status-of.ts'

/** Nobody's: `.invalid` never receives mail (RFC 2606). */
const PROBE = 'probe@unsubscribe.invalid'

/**
 * Presses an unsubscribe link as a mail provider would, and looks whether that arrived in our store:
 * only a server with our key and our subscribers can do that.
 *
 * @param url where unsubscribe links lead, without a slash at the end.
 * @returns what is wrong, in a sentence; `undefined` when it works. @throws StoreUnavailable
 */
export async function probeUnsubscribe(
  url: string,
  store: Standings,
  ids: AddressIds,
  tokens: UnsubscribeTokens,
): Promise<string | undefined> {
  const before = await store.standing(PROBE)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  // RFC 8058: mail providers follow no redirect.
  const status = await statusOf(`${url}/${tokens.sign(ids.of(PROBE))}`, { method: 'POST', body })
  if (typeof status === 'string') return `${url} cannot be reached: ${status}`
  if (status === 404)
    return `${url} answers 404: it is another server, or has another LINK_KEY: nobody could unsubscribe`
  if (status !== 200) return `${url} answers ${status} instead of 200`
  const after = await store.standing(PROBE)
  if (!after || Number(after.at) <= Number(before?.at ?? 0))
    return `${url} answers, but not with this LINK_KEY and these subscribers: nobody could unsubscribe`
  return undefined
}
