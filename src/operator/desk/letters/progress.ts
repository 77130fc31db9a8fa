import { balanceOf } from '../../../announcement/balance.ts'
import type { LetterProgress, LetterState } from '../../../shared/desk-letters.ts'
import {
  type Announcement,
  deliveryStatuses,
  noSuppressions,
  type SuppressionCounts,
  suppressionReasons,
  type Tally,
} from '../../../store/delivery-ledger.ts'
import type { LockHolder } from '../../../store/run-lock.ts'
import type { Store } from '../../../store/store.ts'
import { balanceInWords, endInWords } from '../../announce/announce-report.ts'
import { reasonInWords } from '../../terminal/standing-words.ts'
import { counted } from '../../terminal/words.ts'
import { type Engine, letterOf, seen } from './engine.ts'
import type { Run } from './run-log.ts'
import { wavesLeft } from './waves-left.ts'

/** What is known of a letter's announcement at one moment. */
export interface Standing {
  readonly announcement: Announcement | undefined
  readonly tally: Tally
  readonly suppressed: SuppressionCounts
  /** Who sends it now, if anybody does. */
  readonly engine: Engine | undefined
  readonly run: Run | undefined
}

export const noTally: Tally = {
  ...(Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as Omit<Tally, 'untried'>),
  untried: 0,
}

/**
 * Looks at a letter's announcement. Who sends it is looked at before what was sent: of a run that has
 * ended by then all is read, and its last word.
 *
 * @param readRun reads the log of the letter's last run. @throws StoreUnavailable
 */
export async function standingOf(
  store: Store,
  name: string,
  readRun: () => Run | undefined,
): Promise<Standing> {
  const holder = await store.lockHolder()
  const look = lookOnce()
  const begun = readRun()
  engineOf(name, holder, begun, { sending: 1 }, look)
  const ours = ownEngine(begun)
  const run = ours && look(ours).is !== 'gone' ? begun : readRun()
  const announcement = await store.findAnnouncement(name)
  const tally = announcement ? await store.tally(name) : noTally
  const suppressed = announcement ? await store.suppressedAs(name) : noSuppressions()
  return { announcement, tally, suppressed, run, engine: engineOf(name, holder, run, tally, look) }
}

/** Looks at each process once, and says the same of it from then on. */
function lookOnce(): typeof seen {
  const known = new Map<string, ReturnType<typeof seen>>()
  return (engine) => {
    const id = `${engine.pid} ${engine.host}`
    const found = known.get(id) ?? seen(engine)
    known.set(id, found)
    return found
  }
}

/**
 * Who sends a letter: whoever has the lock for it, or the desk's own run on its way there.
 *
 * @param look what can be seen of a process.
 */
export function engineOf(
  name: string,
  holder: LockHolder | undefined,
  run: Run | undefined,
  tally: Pick<Tally, 'sending'>,
  look = seen,
  now = Date.now(),
): Engine | undefined {
  const ours = ownEngine(run)
  if (ours && run) {
    const what = look(ours)
    // Its number may be another's later.
    if (letterOf(what, [name]) || (what.is === 'loading' && isNew(run, now))) return ours
  }
  if (!holder) return undefined
  const what = look(holder)
  if (what.is === 'tool') return letterOf(what, [name]) ? holder : undefined
  // Whoever has the lock was loaded long before.
  if (what.is === 'gone' || what.is === 'loading') return undefined
  // Of what cannot be seen there are the lock, the log of a run that the desk started, and the ledger.
  return isSame(ours, holder) || tally.sending > 0 ? holder : undefined
}

/** The process of a run that the desk started and that has not said its end. */
export function ownEngine(run: Run | undefined): Engine | undefined {
  if (!run || run.pid === undefined || run.report) return undefined
  return { host: run.head.host, pid: run.pid }
}

/** How long a run may take from its log to what shows that it sends. */
const ON_ITS_WAY_MS = 60_000

const isNew = ({ head }: Run, now: number) => now - Date.parse(head.at) <= ON_ITS_WAY_MS

/** Whether a run has just been begun and may read its letter yet, as far as can be seen at once. */
export function isOnItsWay(run: Run | undefined, now = Date.now()): boolean {
  if (!run || run.report || !isNew(run, now)) return false
  const engine = ownEngine(run)
  return !engine || seen(engine).is !== 'gone'
}

export const isSame = (one: Engine | undefined, other: Engine | undefined) =>
  one !== undefined && one.pid === other?.pid && one.host === other.host

export function stateOf({ announcement, tally, engine, run }: Standing): LetterState {
  if (engine) {
    if (run?.isStopAsked && isSame(ownEngine(run), engine)) return 'stopping'
    return announcement?.eligible === undefined ? 'starting' : 'sending'
  }
  if (!announcement) return 'unsent'
  if (announcement.eligible !== undefined && tally.queued === 0 && tally.sending === 0)
    return 'told'
  if (wavesLeft(announcement)?.isBetween) return 'waves'
  return run?.report?.why === 'done' && tally.sending === 0 ? 'partly' : 'stopped'
}

const ended = ['sent', 'failed', 'uncertain'] as const
/** How many have ended, whether well or not. */
export const endedOf = (tally: Tally) => ended.reduce((sum, status) => sum + tally[status], 0)

/** What a page shows of it, without those who have not got it. */
export function progressOf(
  standing: Standing,
  now = Date.now(),
): Omit<LetterProgress, 'unsent' | 'unsentCount'> {
  const { announcement, tally, suppressed, engine, run } = standing
  const state = stateOf(standing)
  const { untried: _, ...counts } = tally
  const isOurs = isSame(ownEngine(run), engine)
  const isRunning = engine !== undefined
  const left = wavesLeft(announcement, now)
  return {
    at: now,
    state,
    ...(run && { stage: run.head.stage }),
    eligible: announcement?.eligible ?? 0,
    tally: counts,
    leftOut: suppressionReasons
      .filter((reason) => suppressed[reason] > 0)
      .map((reason) => ({ why: reasonInWords(reason), count: suppressed[reason] })),
    ...(isOurs && run && speedOf(run, tally, now)),
    ...(engine && !isOurs && { by: `${engine.host}, process ${engine.pid}` }),
    ...(announcement?.eligible !== undefined &&
      !isRunning && { balance: balanceInWords(balanceOf(announcement, tally)) }),
    ...(!isRunning && run && { end: endOf(run, standing) }),
    ...(!isRunning && state !== 'told' && left && { waves: left.words }),
    said: run?.said ?? [],
  }
}

/** How the last run ended: by its report, or by that there is none. */
function endOf(run: Run, { tally, announcement }: Standing): string {
  if (run.report) return endInWords({ ...run.report, tally }, shareOf(run))
  if (run.pid === undefined) return 'The last run was not begun: the desk ended before it.'
  // What it could not do is its last word.
  const last = run.said.at(-1) ?? ''
  if (
    !announcement ||
    /^("[^"]+" goes out in waves|Nothing is sent|Nobody was mailed|An announcement is running|Stopped:|[A-Z_]+: )/.test(
      last,
    )
  )
    return last || 'The last run ended without a word.'
  if (tally.queued > 0)
    return 'The last run was cut off. The same again goes on where it ended, and tells nobody twice.'
  const uncertain =
    tally.uncertain > 0
      ? `; of ${counted(tally.uncertain, 'person', 'people')} it is not known whether they were`
      : ''
  return `The last run was cut off. Nobody is left to be told${uncertain}.`
}

const shareOf = ({ head }: Run) =>
  Number(
    /^--stop-share=([\d.]+)%$/.exec(
      head.args.find((arg) => arg.startsWith('--stop-share')) ?? '',
    )?.[1] ?? 5,
  ) / 100

function speedOf({ head }: Run, tally: Tally, now: number) {
  const done = Math.max(0, endedOf(tally) - head.before)
  const people = Math.max(head.people, done)
  const seconds = (now - Date.parse(head.at)) / 1000
  const perSecond = done > 0 && seconds > 0 ? done / seconds : undefined
  return {
    run: { people, done },
    ...(perSecond && { perSecond, secondsLeft: (people - done) / perSecond }),
  }
}
