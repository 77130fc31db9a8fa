import type { LeavingOut } from '../../announcement/recipient-selection.ts'
import type { Voice } from '../../announcement/run/announce-job.ts'
import { isSameProblem, type May } from '../../announcement/run/findings.ts'
import { reportOf } from '../../announcement/run/report.ts'
import type { AnnounceEvents } from '../../announcement/tell-everyone.ts'
import { isOver } from '../../announcement/waves/agreed.ts'
import type { WavePlan } from '../../announcement/waves/wave-plan.ts'
import type { WavesEvents } from '../../announcement/waves/waves-options.ts'
import { duration } from '../../shared/duration.ts'
import { balanceInWords } from '../../shared/end-words.ts'
import type { Found } from '../../shared/found.ts'
import type { Store } from '../../store/store.ts'
import type { KeptWaves } from '../../store/waves.ts'
import { findingLines } from '../../terminal/finding-lines.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, grouped, localTime } from '../../terminal/words.ts'
import { findingInWords, mayInWords, type SaidWhen } from './finding-words.ts'
import { figuresInWords, inTime, waveName } from './wave-words.ts'

interface WaveReport extends Pick<LeavingOut, 'alsoWhoGot' | 'leavesOut'> {
  /** Prints a line for each wave. */
  readonly json?: boolean | undefined
}

/** Says what was found. @returns whether sending is allowed. */
export function sayFound(found: readonly Found[], may: May, when: SaidWhen, out: Out): boolean {
  out.say(findingLines(found.map(findingInWords), out.style))
  const said = mayInWords(found, may, when)
  if (said) out.say(said)
  return may === 'go' || may === 'forced'
}

/** Tells a person at a terminal of a run. */
export function terminalVoice(
  store: Store,
  plan: WavePlan | undefined,
  options: WaveReport,
  out: Out,
): Voice {
  const waves = wavesProgress(store, plan ?? { size: 1 }, options, out)
  let last: readonly Found[] = []
  let isAgain = false
  const wasSaid = (one: Found) =>
    last.some((before) => before.verdict === one.verdict && isSameProblem(before, one))
  return {
    found(found, may, isLater) {
      // Every half a minute while another run is sending: the same is said once.
      if (!isAgain || !found.every(wasSaid)) sayFound(found, may, isLater ? 'later' : 'first', out)
      last = found
      isAgain = false
    },
    run: sendingProgress(out),
    waves: {
      ...waves,
      waiting(until, what, kept) {
        isAgain = what === 'run'
        waves.waiting(until, what, kept)
      },
    },
  }
}

/** Shows the progress of a run: count, rate and the expected end. */
export function sendingProgress(out: Out): AnnounceEvents {
  let toSend = 0
  let finished = 0
  let begunAt = 0
  const soFar = () => `${grouped(finished)} of ${grouped(toSend)}`

  return {
    settled(uncertain) {
      if (uncertain > 0)
        out.say(
          `An earlier run was cut off. ${counted(uncertain, 'letter')} may have left: uncertain, not sent again.`,
        )
    },
    enlisting: (rows) => out.progress(`${counted(rows, 'recipient')} listed`),
    begun({ id, subject, cutOff }, count) {
      toSend = count
      // Each wave begins anew.
      finished = 0
      begunAt = performance.now()
      out.say(
        `${id}, "${subject}": ${grouped(count)} to send, to those who signed up before ${localTime(cutOff)}.`,
      )
    },
    result(status) {
      if (status !== 'queued') finished += 1
      const seconds = (performance.now() - begunAt) / 1000
      // A few letters say little of a speed.
      if (seconds < 2) return out.progress(soFar())
      const perSecond = finished / seconds
      const left = (toSend - finished) / perSecond
      const endsAt = () => localTime(new Date(Date.now() + left * 1000)).slice(-5)
      const end = finished > 0 ? `, ${duration(left)} left at that speed, ends ${endsAt()}` : ''
      out.progress(`${soFar()}, ${perSecond.toFixed(1)}/s so far${end}`)
    },
    waiting(what) {
      const why = what.code === 'store' ? what.answer : `${grouped(what.people)} to be tried again`
      out.progress(`${soFar()}, waiting: ${why}`)
    },
  }
}

function wavesProgress(store: Store, plan: WavePlan, options: WaveReport, out: Out): WavesEvents {
  return {
    async sent(end, kept, figures) {
      out.say(figuresInWords(kept, figures, plan))
      if (end.why !== 'done' || !end.balance.holds || isOver(kept)) return
      out.say(balanceInWords(end.balance))
      if (!options.json) return
      const report = await reportOf(store, end, options)
      await out.write(`${JSON.stringify({ ...report, wave: { ...kept, ...figures } })}\n`)
    },
    waiting(until, what, kept) {
      const reasons = {
        wave: `${nextName(kept, plan)} comes`,
        gmail:
          'Gmail gets no more letters in these 24 hours, since SPF, DKIM and DMARC are not all there. The rest of the wave comes',
        run: 'Another run is sending; this one looks again',
      }
      const left = until.getTime() - Date.now()
      out.say(`${reasons[what]} at ${localTime(until)}, ${inTime(left)}. Ctrl-C is safe.`)
    },
    left(ms) {
      if (out.isLive) out.progress(`Waiting: ${inTime(ms)}`)
    },
    away: (answer) => out.say(`${answer} Waiting for it.`),
  }
}

function nextName(kept: KeptWaves | undefined, plan: WavePlan): string {
  if (!kept) return 'The next wave'
  const name = waveName(kept.endedAt ? kept.number + 1 : kept.number, plan)
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}
