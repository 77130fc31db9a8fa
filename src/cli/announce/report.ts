import { countNewcomers } from '../../announcement/newcomers.ts'
import type { LeavingOut } from '../../announcement/run-options.ts'
import type { RunEnd } from '../../announcement/tell-everyone.ts'
import { unsent } from '../../announcement/unsent.ts'
import type { LetterSeen } from '../../report/makers/finding.ts'
import { reportOfRun, stagesLeft } from '../../report/makers/run.ts'
import { tell } from '../../report/tell.ts'
import type { Store } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'

/** Number of rows that are shown on a terminal; a file gets all of them. */
const SHOWN = 50

export interface ReportOptions extends Pick<LeavingOut, 'alsoWhoGot' | 'leavesOut'> {
  readonly seen: LetterSeen
  readonly stopShare: number
  readonly json?: boolean
  readonly all?: boolean
  readonly output?: string
  /** Whether those without the letter are listed; by default they are. */
  readonly list?: boolean
}

/** Prints how a run ended, the balance, and the recipients without the letter. @returns the exit code. */
export async function reportEnd(store: Store, end: RunEnd, options: ReportOptions, out: Out) {
  const { seen, stopShare, json, output, list = true } = options
  const { announcement, balance, why, answer } = end
  const { tally } = balance
  const most = json || output !== undefined ? Number.POSITIVE_INFINITY : SHOWN
  const newcomers = await countNewcomers(store, announcement, options)
  const dueAt = why === 'deferring' ? await store.ledger.nextRetry(announcement.id) : undefined
  const { suppressed } = announcement
  const run = { notes: { end: { why, answer }, stopShare }, host: '', pid: 0 }
  const report = reportOfRun(
    { announcement, tally, suppressed, balance, run, isRunning: false },
    {
      ...{ seen, now: Date.now(), newcomers, dueAt },
      unsent: list ? await unsent(store.ledger, announcement.id, most) : [],
    },
  )
  const parts = [...report.parts, stagesLeft(tally, seen)]
  await tell({ ...report, parts }, options, out)
  return exitCodeOf(end)
}

function exitCodeOf({ why, balance: { holds, tally } }: RunEnd): number {
  if (!holds) return exitCodes.failed
  if (why === 'interrupted') return exitCodes.stopped
  if (why !== 'done') return exitCodes.failed
  return tally.failed + tally.uncertain > 0 ? exitCodes.partly : exitCodes.done
}
