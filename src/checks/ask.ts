import { OUR_AGENT } from '../shared/our-agent.ts'
import { plainLine } from '../shared/plain-line.ts'

const WITHIN_MS = 15_000
/** Some ten times as much as a page of ours, or one that a form is in. */
const MOST_BYTES = 2_000_000

/** What a server answers; `status` is 0 where nobody answers in time. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Its beginning, of at most two million bytes. */
  readonly text: string
  /** Why nobody answers. */
  readonly why: string
}

/** Asks a server, as every check does. */
export async function ask(url: string | URL, init: RequestInit = {}): Promise<Answer> {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(WITHIN_MS),
      ...init,
      headers: { accept: 'text/html,*/*', 'user-agent': OUR_AGENT, ...init.headers },
    })
    const { status, headers } = answer
    return { status, headers, text: await startOf(answer), why: '' }
  } catch (error) {
    const { cause, message } = error as Error
    const { code = '', message: reason = message } = (cause ?? {}) as NodeJS.ErrnoException
    const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN'
    const why = isUnknown
      ? `it is not in the DNS, or not yet from here (${code})`
      : plainLine(reason)
    return { status: 0, headers: new Headers(), text: '', why }
  }
}

async function startOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MOST_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES).toString()
}
