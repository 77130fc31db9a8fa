import { setTimeout as sleep } from 'node:timers/promises'

/** How long a server may take by default. */
export const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 200
const ANSWER_WITHIN_MS = 5000

/**
 * Why a server is not ready. `said`: the last lines that it printed; `unit`: the unit of systemd
 * that runs it.
 */
export type NotReady = (
  | { readonly why: 'ended' | 'no-port' }
  | { readonly why: 'silent'; readonly error: string; readonly afterMs: number }
  | { readonly why: 'status' | 'page'; readonly status: number; readonly afterMs?: number }
  | { readonly why: 'command'; readonly command: string }
) & { readonly said?: string; readonly unit?: string }

/**
 * Waits until a server can store a sign-up. During a migration it answers that it cannot.
 *
 * @param isRunning whether waiting makes sense. @returns why it is not ready; `undefined` when it
 *   is.
 */
export async function whyNotReady(
  url: string,
  withinMs: number,
  isRunning = () => true,
): Promise<NotReady | undefined> {
  for (const until = performance.now() + withinMs; ; await sleep(LOOK_EVERY_MS)) {
    let found: NotReady
    try {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      const { status } = await fetch(`${url}/readyz`, { signal })
      if (status === 200) return undefined
      found = { why: 'status', status, afterMs: withinMs }
    } catch (error) {
      const { message = '' } = ((error as Error).cause as Error | undefined) ?? {}
      found = { why: 'silent', error: message || String(error), afterMs: withinMs }
    }
    if (!isRunning()) return { why: 'ended' }
    if (performance.now() > until) return found
  }
}

/** The address of the server of these settings, on this machine. */
export function ownUrl({ HOST, PORT }: NodeJS.ProcessEnv): string {
  const host = HOST?.trim() || '127.0.0.1'
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${PORT?.trim() || '3000'}`
}
