import type { AddressIds } from '../../keys/address-id.ts'
import type { AskingButton } from '../../keys/asking-button.ts'
import type { ConfirmationKeys } from '../../keys/confirmation-keys.ts'
import type { LinkTokens } from '../../keys/unsubscribe-token.ts'
import type { Found, ProbeProblem } from '../../shared/found.ts'
import { plainLine } from '../../shared/plain-line.ts'
import type { Outbox } from '../../store/outbox.ts'
import type { Standings } from '../../store/standing.ts'

const WAIT_MS = 15_000
/** Addresses of nobody: `.invalid` never receives mail (RFC 2606). */
const PROBES = { unsubscribe: 'probe@unsubscribe.invalid', confirm: 'probe@confirm.invalid' }
const NO_TOKEN = 'A'.repeat(44)

/**
 * Presses an unsubscribe link as a mail provider would, and checks that this arrived in our store:
 * only a server with our key and our subscribers can do that.
 *
 * @param url where unsubscribe links lead, without a slash at the end. @throws StoreUnavailable
 */
export async function probeUnsubscribe(
  url: string,
  standings: Standings,
  ids: AddressIds,
  tokens: LinkTokens,
): Promise<Found> {
  const found = (wrong?: ProbeProblem) => result('unsubscribing', url, wrong)
  const probe = PROBES.unsubscribe
  const before = await standings.of(probe)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  // RFC 8058: mail providers follow no redirect.
  const status = await statusOf(`${url}/${tokens.sign(ids.of(probe))}`, { method: 'POST', body })
  if (status !== 200) return found(problemOf(status))
  const after = await standings.of(probe)
  const hasArrived = after && Number(after.at) > Number(before?.at ?? 0)
  return found(hasArrived ? undefined : { code: 'other-list' })
}

/**
 * Opens the page behind a confirmation letter as its reader would: only a server with our key and
 * our subscribers knows an address that is asked at this moment. Leaves nothing behind.
 *
 * @param url where confirmation links lead, without a slash at the end. @throws StoreUnavailable
 */
export async function probeConfirm(
  url: string,
  outbox: Pick<Outbox, 'changePending' | 'sweepPending'>,
  ids: AddressIds,
  keys: ConfirmationKeys,
): Promise<Found> {
  const found = (wrong?: ProbeProblem) => result('confirming', url, wrong)
  const probe = PROBES.confirm
  const now = new Date()
  const shown = { words: '', page: '', language: '' }
  const pending = { email: probe, askedAt: now, listedAt: now, shown, letters: 0 }
  await outbox.changePending(ids.of(probe), () => ({ result: undefined, pending }), probe)
  try {
    const status = await statusOf(`${url}/${keys.sign(ids.of(probe), now)}`)
    if (status === 410) return found({ code: 'other-list' })
    if (status !== 200) return found(problemOf(status))
    // A page that answers 200 to every path would not be ours.
    const isOurs = (await statusOf(`${url}/${NO_TOKEN}`)) === 410
    return found(isOurs ? undefined : { code: 'other-page' })
  } finally {
    await outbox.sweepPending(({ email }) => (email === probe ? 'stayed' : undefined))
  }
}

/**
 * Opens the page behind the button of a letter that asks: only a server with our key shows it, and one
 * that answers 200 to every path is not ours.
 */
export async function probeButton({ url, tokens }: AskingButton, ids: AddressIds): Promise<Found> {
  const found = (wrong?: ProbeProblem) => result('confirming', url, wrong)
  const status = await statusOf(`${url}/${tokens.sign(ids.of(PROBES.unsubscribe))}`)
  if (status !== 200) return found(problemOf(status))
  const isOurs = (await statusOf(`${url}/${NO_TOKEN}`)) === 404
  return found(isOurs ? undefined : { code: 'other-page' })
}

function result(code: 'unsubscribing' | 'confirming', url: string, wrong?: ProbeProblem): Found {
  return { code, url, ...(wrong ? { verdict: 'fatal', wrong } : { verdict: 'fine' }) }
}

function problemOf(status: number | string): ProbeProblem {
  if (typeof status === 'string') return { code: 'away', answer: status }
  return status === 404 ? { code: 'other-server' } : { code: 'status', status }
}

/** How a page answers a stranger, without following a redirect. @returns why it does not, if so. */
async function statusOf(url: string, init: RequestInit = {}): Promise<number | string> {
  try {
    const signal = AbortSignal.timeout(WAIT_MS)
    const answer = await fetch(url, { ...init, redirect: 'manual', signal })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    const { cause, message } = error as Error
    return plainLine(cause instanceof Error ? cause.message : message)
  }
}
