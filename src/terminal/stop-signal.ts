import { EndedFromOutside } from '../shared/ended-from-outside.ts'

const AT_ONCE_AFTER_MS = 2_000

/**
 * Aborts at the first Ctrl-C, so that work can finish; a second one ends the process at once.
 * Signals of the machine or of a closed terminal abort with the reason `EndedFromOutside`.
 */
export function stopSignal(host: NodeJS.Process, say: (text: string) => void): AbortSignal {
  const stop = new AbortController()
  let askedAt: number | undefined
  const ask = (by: NodeJS.Signals) => {
    askedAt ??= performance.now()
    // Ctrl-C under npm arrives twice: from the terminal and from npm.
    if (stop.signal.aborted && performance.now() - askedAt > AT_ONCE_AFTER_MS) host.exit(130)
    if (stop.signal.aborted) return
    say('Stopping: work under way is finished first. Ctrl-C again stops at once.')
    stop.abort(by === 'SIGINT' ? undefined : new EndedFromOutside(`Ended by ${by}.`))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.on(signal, ask)
  return stop.signal
}
