import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does something again and again, with a pause in between, until it is closed.
 *
 * @param round returns whether there is more to do at once; it never rejects.
 * @param pauseMs in milliseconds.
 */
export function untilClosed(
  round: () => Promise<boolean>,
  pauseMs: number,
): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  async function run() {
    while (!signal.aborted)
      if (!(await round())) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
  }
  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
