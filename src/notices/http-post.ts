/** The answer to a POST. */
export interface Answered {
  readonly status: number
  /** As the header has it. */
  readonly retryAfter: string | null
  /** The beginning of the answer; empty if the message was taken. */
  readonly text: string
}

export interface PostLimits {
  /** For the whole answer, in milliseconds. */
  readonly timeMs: number
  /** Of the answer's content, in bytes. */
  readonly bytes: number
}

/** As Standard Webhooks recommends, 15 to 30 seconds. */
const usual: PostLimits = { timeMs: 20_000, bytes: 2000 }

/** There was no answer. The error's message holds no URL. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * Posts JSON once. It follows no redirect, reads only the beginning of the answer, and always ends
 * in time.
 *
 * @param closing ends it before its time. @throws NoAnswer
 */
export async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  closing: AbortSignal,
  limits: PostLimits = usual,
): Promise<Answered> {
  const signal = AbortSignal.any([AbortSignal.timeout(limits.timeMs), closing])
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      signal,
      headers: { 'content-type': 'application/json', 'user-agent': 'opening-bell', ...headers },
    })
    const { status } = response
    const text = await beginning(response, response.ok ? 0 : limits.bytes)
    return { status, retryAfter: response.headers.get('retry-after'), text }
  } catch (cause) {
    throw new NoAnswer(reasonOf(cause, limits), { cause })
  }
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
