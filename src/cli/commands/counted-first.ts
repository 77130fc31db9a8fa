import { setImmediate as turn } from 'node:timers/promises'
import { batches } from '../../shared/batches.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, grouped } from '../../terminal/words.ts'

export interface CountedFirstOptions {
  /** The count that the command showed without this option; only then is it done. */
  readonly yesCount?: number
  readonly signal: AbortSignal
  readonly json?: boolean
}

/** Something that is done to many, and cannot be undone. */
export interface Plan<T> {
  /** Those it would be done to: the same each time, without those it was done to. */
  readonly meant: () => AsyncIterable<T>
  readonly shown: (one: T) => string
  /** Also finishes what an earlier run left undone. @returns to how many of them it was done. */
  readonly act: (some: readonly T[]) => Promise<number>
  readonly noun: string
  /** Left out where it ends in an s. */
  readonly plural?: string
  /** Such as `forgotten` and `forgets`. */
  readonly done: string
  readonly does: string
  /** What the operator has to know afterwards. */
  readonly after: string | (() => Promise<string>)
}

const SAMPLES = 10
const TURN = 1000
const BATCH = 100

/**
 * Shows and counts whom it would be done to; with that count given, it is done. It can be stopped at
 * any time; the next run shows and counts the rest.
 */
export async function countedFirst<T>(plan: Plan<T>, options: CountedFirstOptions, out: Out) {
  const { meant, shown, act, done, does, after } = plan
  const those = (count: number) => counted(count, plan.noun, plan.plural)
  const { yesCount, signal, json } = options
  let count = 0
  const samples: string[] = []
  for await (const one of meant()) {
    count += 1
    if (count <= SAMPLES) samples.push(`${shown(one)}\n`)
    out.progress(`${those(count)} found`)
  }
  if (signal.aborted) return exitCodes.stopped
  // An earlier run may have been killed after the last of them, before it cleaned up.
  if (count === 0) await act([])
  if (count !== yesCount || count === 0) {
    if (json) await out.json({ found: count, [done]: 0 })
    else if (yesCount === undefined) for (const sample of samples) await out.write(sample)
    if (yesCount !== undefined && count > 0)
      throw new OperatorError(
        `${those(count)} would be ${done} now, and not ${yesCount}. Nothing was changed. To look at them, give the same command without --yes-count.`,
      )
    const others = count > SAMPLES && !json ? `; the first ${SAMPLES} are shown` : ''
    const found = `${those(count)} would be ${done}${others}.`
    const next = count > 0 ? ` The same command with --yes-count ${count} ${does} them.` : ''
    out.say(`${found}${next} Nothing was changed.`)
    return exitCodes.done
  }

  let isDoneTo = 0
  for await (const some of batches(meant(), BATCH)) {
    isDoneTo += await act(some)
    await turn()
    out.progress(`${grouped(isDoneTo)} of ${grouped(count)} ${done}`)
  }
  if (json) await out.json({ found: count, [done]: isDoneTo })
  const stopped = signal.aborted
    ? ' Stopped: the same command without --yes-count shows the rest.'
    : ''
  const then = typeof after === 'string' ? after : await after()
  out.say(`${those(isDoneTo)} ${done}.${stopped} ${then}`)
  return signal.aborted ? exitCodes.stopped : exitCodes.done
}

/** Ends at Ctrl-C, and lets the event loop see it also when a store answers at once. */
export async function* untilStopped<T>(
  all: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncIterable<T> {
  let seen = 0
  for await (const one of all) {
    seen += 1
    if (seen % TURN === 0) await turn()
    if (signal.aborted) return
    yield one
  }
}
