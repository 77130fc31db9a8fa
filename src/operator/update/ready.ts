import { setTimeout as sleep } from 'node:timers/promises'

/** How long a server may take, where nothing says otherwise. */
export const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 200
const ANSWER_WITHIN_MS = 5000

/**
 * Waits until a server can store a sign-up. While it brings its list up, it says that it cannot.
 *
 * @param isRunning whether it is worth waiting. @returns why not, in the end; `undefined` when ready.
 */
export async function whyNotReady(
  url: string,
  withinMs: number,
  isRunning = () => true,
): Promise<string | undefined> {
  let why = 'it does not answer'
  for (const until = performance.now() + withinMs; ; await sleep(LOOK_EVERY_MS)) {
    try {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      const { status } = await fetch(`${url}/readyz`, { signal })
      if (status === 200) return undefined
      why = `/readyz answers ${status}`
    } catch (error) {
      why = `/readyz does not answer: ${((error as Error).cause as Error)?.message || error}`
    }
    if (!isRunning()) return 'it ended by itself'
    if (performance.now() > until) return `${why} after ${Math.round(withinMs / 1000)} s`
  }
}

/** Where the server of these settings is, seen from this machine. */
export function ownUrl({ HOST, PORT }: NodeJS.ProcessEnv): string {
  const host = HOST?.trim() || '127.0.0.1'
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${PORT?.trim() || '3000'}`
}
