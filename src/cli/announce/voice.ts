import type { Voice } from '../../announcement/run/announce-job.ts'
import type { AnnounceEvents } from '../../announcement/tell-everyone.ts'
import { reportOfAhead } from '../../report/makers/ahead.ts'
import type { LetterSeen } from '../../report/makers/finding.ts'
import { inText } from '../../report/terminal.ts'
import { duration } from '../../shared/duration.ts'
import type { Report } from '../../shared/report.ts'
import type { Out } from '../../terminal/out.ts'
import { counted, grouped, localTime } from '../../terminal/words.ts'

/** Says a report beside the result, where there is something in it. */
export function sayBeside(report: Report, out: Out, all?: boolean): void {
  const text = inText(report, { style: out.style, all }).trim()
  if (text) out.say(text)
}

/** Tells a person at a terminal of a run. */
export const terminalVoice = (seen: LetterSeen, out: Out): Voice => ({
  found: (found, may) => sayBeside(reportOfAhead({ found, may, seen }), out),
  run: sendingProgress(out),
})

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
          `${counted(uncertain, 'letter')} of an interrupted run may have left: uncertain, not sent again.`,
        )
    },
    enlisting: (rows) => out.progress(`${counted(rows, 'recipient')} listed`),
    begun({ id, subject }, count) {
      toSend = count
      begunAt = performance.now()
      out.say(`${id}, "${subject}": ${grouped(count)} to send.`)
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
      const why = what.code === 'retry' ? `${grouped(what.people)} to be tried again` : what.answer
      out.progress(
        `${soFar()}, waiting${what.code === 'mail' ? ', the mail server says' : ''}: ${why}`,
      )
    },
  }
}
