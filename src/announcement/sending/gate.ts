import type { Lately } from '../../store/delivery-ledger.ts'
import type { Gate } from './send.ts'
import type { SendEnd } from './send-end.ts'

/** How often is looked at who failed and who left, and how often the pre-flight runs again. */
const LOOK_EVERY_MS = 30_000
const READY_EVERY_MS = 3_600_000

/** What a pre-flight says of the letters that may leave. */
export interface Ready {
  /** Whether visitors see the open page. */
  readonly isOpen: boolean
}

export interface GateOptions {
  /** What became of the last letters. */
  readonly look: () => Promise<Lately>
  readonly stopShare: number
  /** What the pre-flight of this run came to; left out where it does not run again. */
  readonly ready?: Ready | undefined
  readonly readyAgain?: (() => Promise<Ready | undefined>) | undefined
  /** The page is open, and was not at the begin. */
  readonly onOpen: () => Promise<void>
  /** A clock that nobody sets, and the machine's, which goes on while it sleeps. */
  readonly clocks?: readonly (() => number)[]
}

/** Looks before the first letter, and before a later one when time has passed since, by either clock. */
export function gateOf(options: GateOptions): Gate {
  const { look, stopShare, ready, readyAgain, onOpen } = options
  const { clocks = [() => performance.now(), Date.now] } = options
  const now = () => clocks.map((clock) => clock())
  const isOver = (since: readonly number[], ms: number) =>
    now().some((at, i) => at - (since[i] ?? Number.NEGATIVE_INFINITY) >= ms)
  let lookedAt: number[] = []
  let readyAt = now()
  let isOpen = ready?.isOpen
  return {
    isDue: () => isOver(lookedAt, LOOK_EVERY_MS),
    async pass() {
      const why = stopFor(await look(), stopShare)
      if (why) return { why, answer: '' }
      if (ready && readyAgain && isOver(readyAt, READY_EVERY_MS)) {
        const again = await readyAgain()
        if (!again) return { why: 'unready', answer: '' }
        if (again.isOpen && !isOpen) await onOpen()
        isOpen ||= again.isOpen
        readyAt = now()
      }
      lookedAt = now()
      return undefined
    },
  }
}

/** Of how many of the last letters a share is. */
export const LATELY = { tried: 500, told: 2000 } as const

/** The share of those told that may unsubscribe or complain: Google's limit for complaints. */
const STOP_LEAVING = 0.003
/** With fewer failures than this, their share means nothing yet. */
const MIN_FAILURES = 6
/** A single one who leaves stops nothing. */
const MIN_LEAVING = 2

/** Whether too many of the last letters failed, or of the last people left. @param stopShare from 0 to 1 */
export function stopFor(
  { tried, failed, told, left }: Lately,
  stopShare: number,
): Extract<SendEnd['why'], 'failing' | 'leaving'> | undefined {
  if (failed >= MIN_FAILURES && failed / tried > stopShare) return 'failing'
  return left >= MIN_LEAVING && left / told > STOP_LEAVING ? 'leaving' : undefined
}
