import { balanceOf, endedOf } from '../../../announcement/balance.ts'
import { isInterrupted, isRunning, lastRun } from '../../../announcement/run/dead-run.ts'
import { isKept, paceInWords, parseRate } from '../../../announcement/sending/rate.ts'
import { balanceInWords, stopWords } from '../../../shared/end-words.ts'
import { problemKeys } from '../../../shared/found.ts'
import {
  type Announcement,
  noSuppressions,
  noTally,
  type SuppressionCounts,
  suppressionReasons,
  type Tally,
} from '../../../store/delivery-ledger.ts'
import { machineOf, type Run } from '../../../store/run-lock.ts'
import type { Sending } from '../../../store/run-notes.ts'
import type { Store } from '../../../store/store.ts'
import { reasonInWords } from '../../../terminal/standing-words.ts'
import { goesOnWith, type LetterProgress, type LetterState } from '../../contract/letters.ts'
import { endInWords, foundInWords } from './run-words.ts'

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

/** What a page shows of it, without the list of those without the letter. */
export function progressOf(
  standing: Standing,
  now = Date.now(),
): Omit<LetterProgress, 'unsent' | 'unsentCount'> {
  const { announcement, tally, suppressed, run, isRunning } = standing
  const state = stateOf(standing)
  const { untried: _, ...counts } = tally
  const { notes } = run ?? {}
  const pace = paceShown(standing, now)
  const goesOn = state === 'interrupted' ? goesOnWith(notes?.stage) : undefined
  return {
    at: now,
    state,
    eligible: announcement?.eligible ?? 0,
    tally: counts,
    again: againIn(tally),
    leftOut: suppressionReasons
      .filter((reason) => suppressed[reason] > 0)
      .map((reason) => ({ why: reasonInWords(reason), count: suppressed[reason] })),
    ...(isRunning && notes?.sending && speedOf(notes.sending, tally, now)),
    ...(isRunning && run && !notes?.isFromDesk && { by: `${machineOf(run)}, process ${run.pid}` }),
    ...(announcement?.eligible !== undefined &&
      !isRunning && { balance: balanceShown(announcement, tally) }),
    ...(!isRunning &&
      run && { end: endInWords(run, announcement, tally), endedWell: endedWell(run) }),
    ...(state !== 'told' && pace && { pace }),
    ...(goesOn && { goesOn }),
    found: foundInWords(notes?.found ?? []),
  }
}

/** The rate of an hour or a day while it is sent; why it stopped by itself, until it goes on. */
function paceShown({ run, tally, isRunning }: Standing, now: number): string | undefined {
  const { rate = '', end } = run?.notes ?? {}
  const parsed = parseRate(rate)
  if (isRunning)
    return parsed && isKept(parsed) ? paceInWords(parsed, tally.queued, new Date(now)) : undefined
  if (end?.why !== 'failing' && end?.why !== 'leaving') return undefined
  return `Stopped: ${stopWords[end.why]}. Only a command at a terminal goes on in spite of that.`
}

function balanceShown(announcement: Announcement, tally: Tally) {
  const balance = balanceOf({ ...announcement, tally })
  return { text: balanceInWords(balance), holds: balance.holds }
}

const endedWell = ({ notes: { end } }: Run) => end?.why === 'done' || end?.why === 'interrupted'

/** The keys of the problems that a run found and the operator may override, or overrode. */
export const problemsOf = (run: Run | undefined) =>
  run?.notes.end?.why === 'fatal' ? [] : problemKeys(run?.notes.found ?? [])

/** How many of the queued were tried before. */
export const againIn = ({ queued, untried }: Tally) => queued - untried

function speedOf({ since, people: meant, before }: Sending, tally: Tally, now: number) {
  const done = Math.max(0, endedOf(tally) - before)
  const people = Math.max(meant, done)
  const seconds = (now - since.getTime()) / 1000
  const perSecond = done > 0 && seconds > 0 ? done / seconds : undefined
  // When the mail server takes those that are tried again is not known.
  const left = people - done - againIn(tally)
  return {
    run: { people, done },
    ...(perSecond && { perSecond, ...(left > 0 && { secondsLeft: left / perSecond }) }),
  }
}
