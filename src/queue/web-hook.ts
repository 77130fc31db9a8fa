import type { Answer } from './line.ts'

export interface WebHook {
  /** A secret: anybody who knows it can post there. */
  readonly url: string
  readonly limits: PostLimits
  /** The statuses by which it says that it is gone. */
  readonly gone: readonly number[]
  /** What is kept of an answer. @param text its beginning, by anybody. */
  readonly said: (status: number, text: string) => string
  /** Ends a message before its time, whose answer is then `stopped`. */
  readonly closing: AbortSignal
}

export interface PostLimits {
  /** For the whole answer, in milliseconds. */
  readonly timeMs: number
  /** Of the answer's content, in bytes. */
  readonly bytes: number
}

/** As Standard Webhooks recommends, 15 to 30 seconds. */
export const ANSWER_WITHIN_MS = 20_000

/** Statuses that say nothing of the one message: the next one would get the same. */
const away = new Set([401, 403, 404, 405, 408, 410, 425, 429])

/**
 * Posts JSON once. It follows no redirect, reads only the beginning of the answer, always ends in
 * time, and repeats no URL.
 */
export async function post(
  { url, limits, gone, said, closing }: WebHook,
  body: string,
  headers: Readonly<Record<string, string>>,
  now: Date,
): Promise<Answer> {
  const signal = AbortSignal.any([AbortSignal.timeout(limits.timeMs), closing])
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      signal,
      headers: { 'content-type': 'application/json', 'user-agent': 'opening-bell', ...headers },
    })
    const { status, ok } = response
    const text = await beginning(response, ok ? 0 : limits.bytes)
    if (ok) return { kind: 'taken' }
    return {
      kind: 'failed',
      failure: said(status, text),
      waitMs: retryAfterIn(response.headers.get('retry-after'), now),
      isAway: status >= 500 || status < 400 || away.has(status),
      ...(gone.includes(status) && { isGone: true }),
    }
  } catch (cause) {
    if (closing.aborted) return { kind: 'stopped' }
    return { kind: 'failed', failure: reasonOf(cause, limits), isAway: true }
  }
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function retryAfterIn(retryAfter: string | null, now: Date): number | undefined {
  if (!retryAfter) return undefined
  const seconds = /^\d{1,12}$/.test(retryAfter.trim()) ? Number(retryAfter) : undefined
  const wait = seconds === undefined ? Date.parse(retryAfter) - now.getTime() : seconds * 1000
  return Number.isFinite(wait) && wait > 0 ? wait : undefined
}

/** The beginning of an answer; the status is enough where it cannot be read. */
async function beginning({ body }: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  try {
    while (reader && length < most) {
      const { value, done } = await reader.read()
      if (done || !value) break
      chunks.push(value)
      length += value.length
    }
  } catch {
    // It was too slow, or broke off.
  }
  // Ends the connection if there is more.
  void reader?.cancel().catch(() => {})
  return Buffer.concat(chunks).subarray(0, most).toString('utf8')
}

/** The code alone, since an error's message may quote the URL. */
function reasonOf(error: unknown, { timeMs }: PostLimits): string {
  const { name, cause } = error as Error
  if (name === 'TimeoutError') return `no answer within ${timeMs / 1000} s`
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' ? `no answer: ${code}` : 'no answer'
}
