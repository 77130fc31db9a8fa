import type { AddressIds } from '../keys/address-id.ts'
import type { AskingButton } from '../keys/asking-button.ts'
import type { LinkTokens } from '../keys/unsubscribe-token.ts'
import type { Finding, ProbeProblem } from '../shared/finding.ts'
import type { Standings } from '../store/store.ts'
import { ask } from './ask.ts'

/** The address of nobody: `.invalid` never receives mail (RFC 2606). */
const PROBE = 'probe@unsubscribe.invalid'
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
): Promise<Finding> {
  const before = await standings.of(PROBE)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const wrong = await press(`${url}/${tokens.sign(ids.of(PROBE))}`, { method: 'POST', body })
  if (wrong) return result('unsubscribing', url, wrong)
  const after = await standings.of(PROBE)
  const hasArrived = after && Number(after.at) > Number(before?.at ?? 0)
  return result('unsubscribing', url, hasArrived ? undefined : { code: 'other-list' })
}

/** Opens the page behind the button of a letter that asks: only a server with our key shows it. */
export async function probeButton(
  { url, tokens }: AskingButton,
  ids: AddressIds,
): Promise<Finding> {
  return result('confirming', url, await open(url, tokens.sign(ids.of(PROBE))))
}

function result(code: 'unsubscribing' | 'confirming', url: string, wrong?: ProbeProblem): Finding {
  return { code, url, ...(wrong ? { verdict: 'fatal', wrong } : { verdict: 'fine' }) }
}

/** A page that answers 200 to every path is not ours. */
async function open(url: string, token: string) {
  const wrong = await press(`${url}/${token}`)
  if (wrong) return wrong
  const { status } = await ask(`${url}/${NO_TOKEN}`, { redirect: 'manual' })
  return status === 404 ? undefined : ({ code: 'other-page' } as const)
}

/** @returns what is wrong, if anything but 200 is answered. RFC 8058: mail providers follow no redirect. */
async function press(url: string, init: RequestInit = {}): Promise<ProbeProblem | undefined> {
  const { status, why } = await ask(url, { ...init, redirect: 'manual' })
  if (status === 0) return { code: 'away', answer: why }
  if (status === 404) return { code: 'other-server' }
  return status === 200 ? undefined : { code: 'status', status }
}
