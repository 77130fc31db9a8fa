import { type BackendConfig, OWN_SERVER, paths, type SubscribeBody } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import { httpClient, submitForm } from './http-client.ts'
import { readClock } from './server-clock.ts'
import { hideSilentIndexedDb } from './silent-indexed-db.ts'
import type { SubscribeClient } from './subscribe-client.ts'

/** Whether a server takes the form without script; a static host does not. */
const HAS_SERVER = import.meta.env.MODE !== 'firebase'

/**
 * Connects the page to its backend: reads the configuration, picks the client, signs in. A failure
 * is logged and does not stop the page; connecting is tried once more when the visitor submits.
 *
 * @param usableSince when the visitor could use the form, by the page's own clock.
 * @returns submits an address that `parseEmail` returned, with what else is in the form; waits for the
 *   connection; never rejects.
 */
export function connect(
  usableSince: () => number = performance.now.bind(performance),
): (said: SubscribeBody) => Promise<Outcome> {
  let client: SubscribeClient | undefined
  let signedIn = false

  async function prepare(signal: AbortSignal) {
    client ??= await openClient(signal)
    await client.signIn(signal)
    signedIn = true
  }
  const preparing = prepare(deadline()).catch(log)

  return async (said) => {
    const signal = deadline()
    // What blocks the API may swallow its requests, and the form needs time as well.
    const half = HAS_SERVER ? deadline(1 / 2) : signal
    const body = {
      ...said,
      isLate: !signedIn,
      openFor: Math.round(performance.now() - usableSince()),
    }
    try {
      await Promise.race([preparing, aborted(half)])
      if (!client || !signedIn) await prepare(half)
      return (await client?.subscribe(body, half)) ?? 'failed'
    } catch (error) {
      log(error)
      const outcome = client || half.aborted ? 'failed' : 'database-unavailable'
      if (!HAS_SERVER || signal.aborted) return outcome
      // Cookies, the API or the configuration may be blocked: without script, this visitor could sign up.
      return submitForm(body, signal).catch((error) => {
        log(error)
        return outcome
      })
    }
  }
}

async function openClient(signal: AbortSignal): Promise<SubscribeClient> {
  // Loaded now, while nothing moves: when the configuration has come, the splash is in motion
  // again.
  const firebase = import.meta.env.MODE === 'firebase' ? import('./firebase-client.ts') : undefined
  firebase?.catch(() => {})
  const asked = Date.now()
  const response = await fetch(paths.config, { signal })
  if (import.meta.env.VITE_OPENS_AT) readClock(response, asked)
  if (!response.ok) throw new Error(`${paths.config} answered ${response.status}`)
  const config: BackendConfig = await response.json()
  if (config.mode === OWN_SERVER) return httpClient()
  if (firebase) {
    await hideSilentIndexedDb()
    return (await firebase).firebaseClient(config)
  }
  throw new Error(`${paths.config} names no mode that this page knows`)
}

/** The specification's network time-out, over a whole submit: 30 s, on mobile 60 s. @param share of it. */
function deadline(share = 1): AbortSignal {
  const { userAgent, userAgentData } = navigator as Navigator & {
    readonly userAgentData?: { readonly mobile: boolean }
  }
  const mobile = userAgentData?.mobile ?? /Mobi|Android/.test(userAgent)
  return AbortSignal.timeout(share * (mobile ? 60_000 : 30_000))
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Logs to the console what failed; never an address. */
function log(error: unknown) {
  console.warn('Not connected:', error)
}
