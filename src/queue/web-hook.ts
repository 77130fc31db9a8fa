import type { Answer } from './waiting-line.ts'

export interface WebHookOptions {
  /** A secret: anybody who knows it can post there. */
  readonly url: string
  /** The statuses by which it says that it is gone. */
  readonly gone: readonly number[]
  /** How long it may take to answer, in milliseconds. */
  readonly withinMs?: number | undefined
}

/** As Standard Webhooks recommends, 15 to 30 seconds. */
const ANSWER_WITHIN_MS = 20_000

/** Statuses that say nothing of the one message: the next one would get the same. */
const away = new Set([401, 403, 404, 405, 408, 410, 425, 429])

export function webHook({ url, gone, withinMs = ANSWER_WITHIN_MS }: WebHookOptions) {
  const closing = new AbortController()
  return {
    /** The rest of the URL is a secret. */
    host: new URL(url).host,

    /**
     * Posts JSON once. It follows no redirect, reads nothing of the answer but its status and how long to
     * wait, always ends in time, and repeats no URL. A fault of the network is an answer, no exception.
     */
    async post(
      body: string,
      headers: Readonly<Record<string, string>>,
      now: Date,
    ): Promise<Answer> {
      try {
        const response = await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          body,
          signal: AbortSignal.any([AbortSignal.timeout(withinMs), closing.signal]),
          headers: { 'content-type': 'application/json', 'user-agent': 'opening-bell', ...headers },
        })
        const { status, ok } = response
        // Ends the connection if there is more.
        void response.body?.cancel().catch(() => {})
        if (ok) return { kind: 'taken' }
        return {
          kind: 'failed',
          failure: String(status),
          waitMs: retryAfterIn(response.headers.get('retry-after'), now),
          isAway: status >= 500 || status < 400 || away.has(status),
          ...(gone.includes(status) && { isGone: true }),
        }
      } catch (cause) {
        if (closing.signal.aborted) return { kind: 'stopped' }
        return { kind: 'failed', failure: reasonOf(cause as Error, withinMs), isAway: true }
      }
    },

    /** Ends what is on its way, whose answer is then `stopped`. */
    close: () => closing.abort(),
  }
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function retryAfterIn(retryAfter: string | null, now: Date): number | undefined {
  if (!retryAfter) return undefined
  const seconds = /^\d{1,12}$/.test(retryAfter.trim()) ? Number(retryAfter) : undefined
  const wait = seconds === undefined ? Date.parse(retryAfter) - now.getTime() : seconds * 1000
  return Number.isFinite(wait) && wait > 0 ? wait : undefined
}

/** The code alone, since an error's message may quote the URL. */
function reasonOf({ name, cause }: Error, withinMs: number): string {
  if (name === 'TimeoutError') return `no answer within ${withinMs / 1000} s`
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' ? `no answer: ${code}` : 'no answer'
}
