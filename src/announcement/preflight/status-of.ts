import { plainLine } from '../../shared/plain-line.ts'

const WAIT_MS = 15_000

/** How a page answers a stranger, without following a redirect. @returns why it does not, if so. */
export async function statusOf(url: string, init: RequestInit = {}): Promise<number | string> {
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
