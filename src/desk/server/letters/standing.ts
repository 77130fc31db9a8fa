import { isInterrupted, isRunning, lastRun } from '../../../announcement/run/dead-run.ts'
import { againIn, type Beside, reportOfRun } from '../../../report/makers/run.ts'
import { problemKeys } from '../../../shared/finding.ts'
import {
  type Announcement,
  noSuppressions,
  noTally,
  type SuppressionCounts,
  type Tally,
} from '../../../store/delivery-ledger.ts'
import type { Run } from '../../../store/run.ts'
import type { Store } from '../../../store/store.ts'
import { goesOnWith, type LetterProgress, type LetterState } from '../../contract/letters.ts'

/** The state of a letter's announcement at one moment. */
export interface Standing {
  readonly announcement: Announcement | undefined
  readonly tally: Tally
  readonly suppressed: SuppressionCounts
  /** Its last run. */
  readonly run: Run | undefined
  /** Whether its process lives. */
  readonly isRunning: boolean
}

/**
 * Reads the state of a letter's announcement. The run is read before the ledger, so that of a run
 * that has ended everything is read.
 *
 * @throws StoreUnavailable
 */
export async function standingOf({ lock, ledger }: Store, name: string): Promise<Standing> {
  const run = await lastRun(lock, name)
  const runs = isRunning(run)
  const announcement = await ledger.findAnnouncement(name)
  const { tally = noTally(), suppressed = noSuppressions() } = announcement ?? {}
  return { announcement, tally: runs ? tally : settled(tally), suppressed, run, isRunning: runs }
}

/** As the next run settles it: the last letters of a dead run may have left. */
const settled = (tally: Tally): Tally => ({
  ...tally,
  uncertain: tally.uncertain + tally.sending,
  sending: 0,
})

/** Whether a letter may be changed under its name: only while nobody has it, or may have it. */
export function isOpen({ tally, isRunning }: Pick<Standing, 'tally' | 'isRunning'>): boolean {
  return tally.sent + tally.uncertain + tally.sending === 0 && !isRunning
}

export function stateOf({ announcement, tally, run, isRunning }: Standing): LetterState {
  const { next, end } = run?.notes ?? {}
  if (isRunning) {
    if (next === 'stop') return 'stopping'
    if (next === 'begin' || next === 'check') return 'starting'
    return announcement?.eligible === undefined ? 'starting' : 'sending'
  }
  if (!announcement) return 'unsent'
  if (announcement.eligible !== undefined && tally.queued === 0) return 'told'
  if (isInterrupted(run)) return 'interrupted'
  // A restored list has no runs.
  const isStage = end ? end.why === 'done' : announcement.eligible !== undefined
  return isStage ? 'partly' : 'stopped'
}

/** What moves on its page. */
export function progressOf(
  standing: Standing,
  beside: Omit<Beside, 'now'>,
  now = Date.now(),
): LetterProgress {
  const { announcement, tally, run } = standing
  const state = stateOf(standing)
  const { untried: _, ...counts } = tally
  const goesOn = state === 'interrupted' ? goesOnWith(run?.notes.stage) : undefined
  return {
    at: now,
    state,
    eligible: announcement?.eligible ?? 0,
    tally: counts,
    again: againIn(tally),
    report: reportOfRun(standing, { ...beside, now }),
    ...(goesOn && { goesOn }),
  }
}

/** The keys of the problems that a run found and the operator may override, or overrode. */
export const problemsOf = (run: Run | undefined) =>
  run?.notes.end?.why === 'fatal' ? [] : problemKeys(run?.notes.found ?? [])
