import type { AddressIds } from '../../keys/address-id.ts'
import type { UnsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { plainLine } from '../../shared/plain-line.ts'
import type { Standings } from '../../store/standing.ts'

/** Nobody's: `.invalid` never receives mail (RFC 2606). */
const PROBE = 'probe@unsubscribe.invalid'
const WAIT_MS = 15_000

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
  let status: number
  try {
    const answer = await fetch(`${url}/${tokens.sign(ids.of(PROBE))}`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      // RFC 8058: mail providers do not follow one.
      redirect: 'manual',
      signal: AbortSignal.timeout(WAIT_MS),
    })
    status = answer.status
    await answer.body?.cancel()
  } catch (error) {
    const { cause, message } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    return `${url} cannot be reached: ${plainLine(reason)}`
  }
  if (status === 404)
    return `${url} answers 404: it is another server, or has another LINK_KEY: nobody could unsubscribe`
  if (status !== 200) return `${url} answers ${status} instead of 200`
  const after = await store.standing(PROBE)
  if (!after || Number(after.at) <= Number(before?.at ?? 0))
    return `${url} answers, but not with this LINK_KEY and these subscribers: nobody could unsubscribe`
  return undefined
}
