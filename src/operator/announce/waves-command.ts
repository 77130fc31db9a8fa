import type { AnnounceOptions } from '../../announcement/announce.ts'
import type { Expected } from '../../announcement/expected.ts'
import { leftOutOf } from '../../announcement/left-out.ts'
import { mayBeTaken } from '../../announcement/recipient-selection.ts'
import { asAgreed, isOver } from '../../announcement/waves/agreed.ts'
import { MOST_TO_GMAIL } from '../../announcement/waves/gmail.ts'
import { OtherPlan, refuseOtherPlan } from '../../announcement/waves/other-plan.ts'
import { planAhead } from '../../announcement/waves/plan-ahead.ts'
import { runWaves, type WavesEvents } from '../../announcement/waves/run-waves.ts'
import type { WavePlan } from '../../announcement/waves/wave-plan.ts'
import type { Finding } from '../../shared/finding.ts'
import type { StoreKind } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import type { KeptWaves } from '../../store/waves.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { grouped, localTime } from '../terminal/words.ts'
import { balanceInWords, type ReportOptions, reportEnd } from './announce-report.ts'
import { AnotherRuns, runToEnd, takeLock } from './run-to-end.ts'
import { breachInWords, figuresInWords, inTime, planInWords, waveName } from './wave-words.ts'

/** How an announcement is to go out in waves. */
export interface WavesArguments {
  readonly waves?: WavePlan
  /** From the beginning of one to that of the next, in milliseconds. */
  readonly every?: number
  /** Of those who were told in a wave, the share that may leave. */
  readonly stopLeaving?: number
  readonly goOn?: boolean
  readonly changePlan?: boolean
  /** Stays until the last one is sent. */
  readonly wait?: boolean
}

/** Another plan, as the operator is told of it; any other error as it is. */
function forOperator(error: unknown): unknown {
  return error instanceof OtherPlan ? new OperatorError(error.message, { cause: error }) : error
}

export interface Waves {
  readonly plan: WavePlan
  readonly everyMs: number
}

/**
 * The waves that were asked for. @throws OperatorError for what does not go together, or not with the
 * plan that is kept.
 */
export async function readWavesOf(
  store: Store,
  id: string,
  options: WavesArguments & { readonly retry?: string | undefined },
): Promise<Waves | undefined> {
  const { waves: plan, every: everyMs, changePlan, retry } = options
  if (plan && everyMs === undefined)
    throw new OperatorError('--waves needs --every, such as --every 2h.')
  if (!plan && everyMs !== undefined) throw new OperatorError('--every needs --waves.')
  const kept = (await store.findAnnouncement(id))?.waves
  const wanted = plan && everyMs !== undefined ? { plan, everyMs } : undefined
  try {
    if (!changePlan && (wanted || !retry)) refuseOtherPlan(id, kept, wanted)
  } catch (error) {
    throw forOperator(error)
  }
  return wanted
}

/** Shows the plan, as it looks from now. @throws StoreUnavailable */
export async function showPlan(
  store: Store,
  id: string,
  { plan, everyMs }: Waves,
  ahead: Expected,
  found: readonly Finding[],
  { rate, json }: { readonly rate: number; readonly json?: boolean | undefined },
  out: Out,
): Promise<void> {
  const now = new Date()
  const announcement = await store.findAnnouncement(id)
  const kept = announcement && asAgreed(announcement, plan, everyMs, undefined, { ...ahead, now })
  const all = ahead.eligible - leftOutOf(ahead.leftOut)
  const waves = [...planAhead({ plan, everyMs, kept, all, taken: ahead.taken, rate, now })]
  out.say(
    waves.length > 0 ? `\n${planInWords(waves, plan, now, out.style)}\n` : 'Everybody is told.',
  )
  const most = mostToGmail(found)
  if (most !== undefined && ahead.toSend > most)
    out.say(
      `No more than ${grouped(most)} letters go to Gmail in 24 hours, since SPF, DKIM and DMARC are not all there: waves may come later than this. See docs/waves.md.\n`,
    )
  if (json) await out.write(`${JSON.stringify({ plan: waves })}\n`)
}

/** The most that may go to Gmail in 24 hours: without limit for a domain whose records are whole. */
export function mostToGmail(findings: readonly Finding[]): number | undefined {
  const isFine = (name: string) =>
    findings.some(({ what, verdict }) => what === name && verdict === 'fine')
  return ['SPF', 'DKIM', 'DMARC'].every(isFine) ? undefined : MOST_TO_GMAIL
}

const isPageOpen = (findings: readonly Finding[]) =>
  findings.some(({ what, verdict }) => what === 'Page' && verdict === 'fine')

/** In Firestore, each look is paid for. */
const LOOK_MS = { sqlite: 30_000, firestore: 600_000 } as const

export interface WavesRun extends Waves, Omit<WavesArguments, 'waves' | 'every'> {
  readonly announcement: Omit<AnnounceOptions, 'store' | 'insteadOf' | 'on' | 'first' | 'stage'>
  readonly report: ReportOptions
  readonly storeKind: StoreKind
  /** The pre-flight. @returns its findings, if it lets the letter go. */
  readonly check: (isFirst: boolean) => Promise<readonly Finding[] | undefined>
}

/** Sends wave after wave, and says what comes of each. @returns the exit code. */
export async function announceInWaves(store: Store, run: WavesRun, out: Out): Promise<number> {
  const {
    plan,
    everyMs,
    report,
    stopLeaving = 0.003,
    wait = true,
    goOn = false,
    changePlan = false,
  } = run
  const end = await runWaves({
    ...{
      plan,
      everyMs,
      wait,
      goOn,
      changePlan,
      stopLeaving,
      stopShare: run.announcement.stopShare,
    },
    lookEveryMs: LOOK_MS[run.storeKind],
    announcement: { ...run.announcement, store },
    async ready(isFirst) {
      const found = await run.check(isFirst)
      return found && { mostToGmail: mostToGmail(found), isOpen: isPageOpen(found) }
    },
    hold: (isFirst) => takeLock(store, run.announcement.holder).catch(unlessAnother(isFirst)),
    run: (options, isFirst) => runToEnd(store, options, out).catch(unlessAnother(isFirst)),
    on: eventsTo(store, run, out),
  }).catch((error) => {
    throw forOperator(error)
  })
  if (end.why === 'notReady') return exitCodes.failed
  if (end.why === 'breach') {
    const { breach, kept } = end
    if (report.json) await out.write(`${JSON.stringify({ ...breach, waves: kept })}\n`)
    out.say(breachInWords(breach, plan, run.announcement.id))
    return exitCodes.failed
  }
  if (end.why === 'interrupted') {
    out.say('Stopped between waves. The same command goes on where it was.')
    return exitCodes.stopped
  }
  if (end.why === 'notDue') {
    const { until, kept } = end
    if (report.json) await out.write(`${JSON.stringify({ why: 'notDue', until, waves: kept })}\n`)
    out.say(`Not before ${localTime(until)}: the same command goes on then.`)
    return exitCodes.done
  }
  return reportEnd(store, end.end, report, out)
}

/** Who has begun waits for another run; who begins is told of it. */
const unlessAnother = (isFirst: boolean) => (error: unknown) => {
  if (isFirst || !(error instanceof AnotherRuns)) throw error
  return undefined
}

function eventsTo(store: Store, { plan, report }: WavesRun, out: Out): WavesEvents {
  return {
    async sent(end, kept, figures) {
      out.say(figuresInWords(kept, figures, plan))
      const goesOn = end.why === 'done' && end.balance.holds && !isOver(kept)
      if (goesOn) out.say(balanceInWords(end.balance).text)
      if (goesOn && report.json) {
        const more = { ...report.more, wave: { ...kept, ...figures } }
        await reportEnd(store, end, { ...report, list: false, more }, { ...out, say: () => {} })
      }
    },
    waiting(until, what, kept) {
      const reasons = {
        wave: `${nextName(kept, plan)} comes`,
        gmail:
          'Enough for Gmail in 24 hours, since SPF, DKIM and DMARC are not all there. The rest of the wave comes',
        run: 'Another run is at it; looked for again',
      }
      const left = until.getTime() - Date.now()
      out.say(`${reasons[what]} ${localTime(until)}, ${inTime(left)}. Ctrl-C is safe.`)
    },
    left(ms) {
      if (out.isLive) out.progress(`Waiting: ${inTime(ms)}`)
    },
    away: (message) => out.say(`${message} Waiting for it.`),
  }
}

function nextName(kept: KeptWaves | undefined, plan: WavePlan): string {
  if (!kept) return 'The next wave'
  const name = kept.endedAt ? waveName(kept.number + 1, plan) : waveName(kept.number, plan)
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}

/** The plan that is kept is given up: whoever is not told yet is told now. */
export function withoutWaves(
  store: Store,
  owner: string,
  selection: Parameters<typeof mayBeTaken>[2],
): AnnounceOptions['stage'] {
  return {
    async begin({ id }, { all, taken }) {
      await store.keepWaves(owner, id, undefined)
      return mayBeTaken(all, taken, selection)
    },
    end: async () => {},
  }
}
