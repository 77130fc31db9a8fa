import { balanceOf } from '../../../announcement/balance.ts'
import type { May } from '../../../announcement/run/findings.ts'
import type { LogLine } from '../../../announcement/run/log-line.ts'
import { isKept, paceInWords, parseRate } from '../../../announcement/sending/rate.ts'
import { parseShare, USUAL_STOP_SHARE } from '../../../announcement/sending/sending-numbers.ts'
import { counted } from '../../../shared/counted.ts'
import { balanceInWords, endInWords, stopWords } from '../../../shared/end-words.ts'
import { problemKeys } from '../../../shared/found.ts'
import {
  type Announcement,
  deliveryStatuses,
  endedStatuses,
  noSuppressions,
  type SuppressionCounts,
  suppressionReasons,
  type Tally,
} from '../../../store/delivery-ledger.ts'
import { type LockHolder, machineOf } from '../../../store/run-lock.ts'
import type { Store } from '../../../store/store.ts'
import { reasonInWords } from '../../../terminal/standing-words.ts'
import { isRetry, type LetterProgress, type LetterState } from '../../contract/letters.ts'
import { type Engine, letterOf, seen } from './engine.ts'
import type { Run } from './run-log.ts'
import { heldBackInWords, lineInWords } from './run-words.ts'
import { fromOptions } from './sending-settings.ts'

/** The state of a letter's announcement at one moment. */
export interface Standing {
  readonly announcement: Announcement | undefined
  readonly tally: Tally
  readonly suppressed: SuppressionCounts
  /** The process that sends it now, if there is one. */
  readonly engine: Engine | undefined
  readonly run: Run | undefined
}

export const noTally: Tally = {
  ...(Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as Omit<Tally, 'untried'>),
  untried: 0,
}

/**
 * Reads the state of a letter's announcement. The process is looked at before the ledger, so that
 * of a run that has ended everything is read, with its last line.
 *
 * @param readRun reads the log of the letter's last run. @throws StoreUnavailable
 */
export async function standingOf(
  store: Store,
  name: string,
  readRun: () => Run | undefined,
): Promise<Standing> {
  const holder = await store.lock.holder()
  const look = lookOnce()
  const begun = readRun()
  engineOf(name, holder, begun, { sending: 1 }, look)
  const ours = ownEngine(begun)
  const run = ours && look(ours).is !== 'gone' ? begun : readRun()
  const announcement = await store.ledger.findAnnouncement(name)
  const tally = announcement ? await store.ledger.tally(name) : noTally
  const suppressed = announcement ? await store.ledger.suppressedAs(name) : noSuppressions()
  return { announcement, tally, suppressed, run, engine: engineOf(name, holder, run, tally, look) }
}

/** Looks at each process once, and remembers the answer. */
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
 * The process that sends a letter: the holder of its lock, or the desk's own run that has yet to
 * take it.
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
    // The process id may be reused later.
    if (letterOf(what, [name]) || (what.is === 'loading' && isNew(run, now))) return ours
  }
  if (!holder) return undefined
  const what = look(holder)
  if (what.is === 'tool') return letterOf(what, [name]) ? holder : undefined
  // The holder of the lock was loaded long before.
  if (what.is === 'gone' || what.is === 'loading') return undefined
  // For a hidden process, the lock, the log of a run that the desk started, and the ledger must do.
  return isSame(ours, holder) || tally.sending > 0 ? holder : undefined
}

/** The process of a run that the desk started and whose log has no end. */
export function ownEngine(run: Run | undefined): Engine | undefined {
  if (!run || run.pid === undefined || run.report) return undefined
  return { host: run.head.host, pid: run.pid }
}

/** How long a run may take from its log to the first sign that it sends. */
const ON_ITS_WAY_MS = 60_000

const isNew = ({ head }: Run, now: number) => now - Date.parse(head.at) <= ON_ITS_WAY_MS

/** Whether a run has just begun and may still read its letter, as far as can be seen at once. */
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
  if (announcement.pace?.stopped) return 'stopped'
  // How a run from a terminal ended is in no log.
  const isStage = run ? run.report?.why === 'done' : announcement.eligible !== undefined
  return isStage && tally.sending === 0 ? 'partly' : 'stopped'
}

/** How many have ended, whether well or not. */
export const endedOf = (tally: Tally) =>
  endedStatuses.reduce((sum, status) => sum + tally[status], 0)

/** What a page shows of it, without the list of those without the letter. */
export function progressOf(
  standing: Standing,
  now = Date.now(),
): Omit<LetterProgress, 'unsent' | 'unsentCount'> {
  const { announcement, tally, suppressed, engine, run } = standing
  const state = stateOf(standing)
  const { untried: _, ...counts } = tally
  const isOurs = isSame(ownEngine(run), engine)
  const isRunning = engine !== undefined
  const pace = paceShown(standing, now)
  return {
    at: now,
    state,
    eligible: announcement?.eligible ?? 0,
    tally: counts,
    again: againIn(tally),
    leftOut: suppressionReasons
      .filter((reason) => suppressed[reason] > 0)
      .map((reason) => ({ why: reasonInWords(reason), count: suppressed[reason] })),
    ...(isOurs && run && speedOf(run, tally, now)),
    ...(engine && !isOurs && { by: `${machineOf(engine)}, process ${engine.pid}` }),
    ...(announcement?.eligible !== undefined &&
      !isRunning && { balance: balanceShown(announcement, tally) }),
    ...(!isRunning &&
      run &&
      !wasFinishedElsewhere(run, state) && {
        end: endOf(run, standing),
        endedWell: endedWell(run),
      }),
    ...(state !== 'told' && pace && { pace }),
    said: run ? saidBy(run) : [],
  }
}

/** The rate of an hour or a day while it is sent; why it stopped by itself, until it goes on. */
function paceShown({ announcement, tally, engine }: Standing, now: number): string | undefined {
  const { rate = '', stopped } = announcement?.pace ?? {}
  const parsed = parseRate(rate)
  if (engine)
    return parsed && isKept(parsed) ? paceInWords(parsed, tally.queued, new Date(now)) : undefined
  if (stopped !== 'failing' && stopped !== 'leaving') return undefined
  return `Stopped: ${stopWords[stopped]}. Only a command at a terminal goes on in spite of that.`
}

function balanceShown(announcement: Announcement, tally: Tally) {
  const balance = balanceOf(announcement, tally)
  return { text: balanceInWords(balance), holds: balance.holds }
}

/** What a run said, also the words of a fault. */
function saidBy(run: Run): string[] {
  const share = shareOf(run)
  const lines = run.lines.flatMap((line) =>
    typeof line === 'string' ? line : lineInWords(line, share),
  )
  return lines.slice(-SAID_LINES)
}

const SAID_LINES = 40

/** Whether a terminal has told those whom the desk's last run had left: how it ended is over. */
const wasFinishedElsewhere = ({ report }: Run, state: LetterState) =>
  state === 'told' && report !== undefined && report.why !== 'done' && report.tally.queued > 0

const endedWell = ({ report }: Run) => report?.why === 'done' || report?.why === 'interrupted'

/** How the last run ended: by its report, or by its absence. */
function endOf(run: Run, { tally, announcement }: Standing): string {
  if (run.report) return endInWords({ ...run.report, queued: tally.queued }, shareOf(run))
  if (run.pid === undefined) return 'The last run did not begin: the desk ended first.'
  const last = run.lines.at(-1)
  if (typeof last === 'object' && last.code === 'found' && !mayGoOn(last.may))
    return heldBackInWords(last.found, last.may)
  const isLastWord = typeof last === 'object' && lastWords.has(last.code)
  if (!announcement || isLastWord)
    return saidBy(run).at(-1) ?? 'The last run ended, and did not say why.'
  if (tally.queued > 0)
    return 'The last run was cut off. To go on where it ended, send it to the rest: nobody gets it twice.'
  const uncertain =
    tally.uncertain > 0
      ? `; ${counted(tally.uncertain, 'person', 'people')} may have the letter or not`
      : ''
  return `The last run was cut off. Nobody is left to be told${uncertain}.`
}

/** Lines after which only the end can follow. */
const lastWords: ReadonlySet<string> = new Set<LogLine['code']>([
  'refused',
  'settings',
  'store-away',
  'fault',
])

const mayGoOn = (may: May): may is 'go' | 'forced' => may === 'go' || may === 'forced'

/** The keys of the problems that a run found and the operator may override, or overrode. */
export const problemsOf = (run: Run | undefined) =>
  (run?.lines ?? []).flatMap((line) =>
    typeof line === 'object' && line.code === 'found' && line.may !== 'fatal'
      ? problemKeys(line.found)
      : [],
  )

const shareOf = ({ head }: Run) =>
  parseShare(fromOptions(head.args).stopShare) ?? parseShare(USUAL_STOP_SHARE) ?? 0

/** How many of the queued were tried before. */
export const againIn = ({ queued, untried }: Tally) => queued - untried

function speedOf({ head, lines }: Run, tally: Tally, now: number) {
  const hasBegun = lines.some((line) => typeof line === 'object' && line.code === 'begun')
  // Until it has begun, those whom it tries again still count as ended.
  const isYetToBegin = isRetry(head.stage) && !hasBegun
  const done = isYetToBegin ? 0 : Math.max(0, endedOf(tally) - head.before)
  const people = Math.max(head.people, done)
  const seconds = (now - Date.parse(head.at)) / 1000
  const perSecond = done > 0 && seconds > 0 ? done / seconds : undefined
  // When the mail server takes those that are tried again is not known.
  const left = people - done - againIn(tally)
  return {
    run: { people, done },
    ...(perSecond && { perSecond, ...(left > 0 && { secondsLeft: left / perSecond }) }),
  }
}
