import type { AddressIds } from '../keys/address-id.ts'
import type { AskingButton } from '../keys/asking-button.ts'
import type { ConfirmationKeys } from '../keys/confirmation-keys.ts'
import type { LinkTokens } from '../keys/unsubscribe-token.ts'
import type { Finding, ProbeProblem } from '../shared/finding.ts'
import type { Requests, Standings } from '../store/store.ts'
import { ask } from './ask.ts'

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
): Promise<Finding> {
  const probe = PROBES.unsubscribe
  const before = await standings.of(probe)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const wrong = await press(`${url}/${tokens.sign(ids.of(probe))}`, { method: 'POST', body })
  if (wrong) return result('unsubscribing', url, wrong)
  const after = await standings.of(probe)
  const hasArrived = after && Number(after.at) > Number(before?.at ?? 0)
  return result('unsubscribing', url, hasArrived ? undefined : { code: 'other-list' })
}

/**
 * Opens the page behind a confirmation letter as its reader would: only a server with our key and
 * our subscribers knows an address that is asked at this moment. Leaves nothing behind.
 *
 * @param url where confirmation links lead, without a slash at the end. @throws StoreUnavailable
 */
export async function probeConfirm(
  url: string,
  requests: Pick<Requests, 'changePending'>,
  ids: AddressIds,
  keys: ConfirmationKeys,
): Promise<Finding> {
  const probe = PROBES.confirm
  const now = new Date()
  const shown = { words: '', page: '', language: '' }
  const pending = { email: probe, askedAt: now, listedAt: now, shown, letters: 0 }
  await requests.changePending(ids.of(probe), () => ({ result: undefined, pending }), probe)
  try {
    const wrong = await open(url, keys.sign(ids.of(probe), now), 410)
    const isGone = wrong?.code === 'status' && wrong.status === 410
    return result('confirming', url, isGone ? { code: 'other-list' } : wrong)
  } finally {
    await requests.changePending(ids.of(probe), () => ({ result: undefined, pending: null }))
  }
}

/** Opens the page behind the button of a letter that asks: only a server with our key shows it. */
export async function probeButton(
  { url, tokens }: AskingButton,
  ids: AddressIds,
): Promise<Finding> {
  return result('confirming', url, await open(url, tokens.sign(ids.of(PROBES.unsubscribe)), 404))
}

function result(code: 'unsubscribing' | 'confirming', url: string, wrong?: ProbeProblem): Finding {
  return { code, url, ...(wrong ? { verdict: 'fatal', wrong } : { verdict: 'fine' }) }
}

/** @param without how ours answers without a token: a page that answers 200 to every path is not ours. */
async function open(url: string, token: string, without: 404 | 410) {
  const wrong = await press(`${url}/${token}`)
  if (wrong) return wrong
  const { status } = await ask(`${url}/${NO_TOKEN}`, { redirect: 'manual' })
  return status === without ? undefined : ({ code: 'other-page' } as const)
}

/** @returns what is wrong, if anything but 200 is answered. RFC 8058: mail providers follow no redirect. */
async function press(url: string, init: RequestInit = {}): Promise<ProbeProblem | undefined> {
  const { status, why } = await ask(url, { ...init, redirect: 'manual' })
  if (status === 0) return { code: 'away', answer: why }
  if (status === 404) return { code: 'other-server' }
  return status === 200 ? undefined : { code: 'status', status }
}
