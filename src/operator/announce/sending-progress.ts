import type { AnnounceEvents } from '../../announcement/announce.ts'
import { spokenDuration } from '../../announcement/duration.ts'
import type { Out } from '../terminal/out.ts'
import { counted, grouped, localTime } from '../terminal/words.ts'

/** Shows the progress of a run: count, rate and the expected end. */
export function sendingProgress(out: Out): AnnounceEvents {
  let toSend = 0
  let finished = 0
  let begunAt = 0

  return {
    settled(uncertain) {
      if (uncertain > 0)
        out.say(
          `A run before this one was cut off. Whether ${counted(uncertain, 'message')} left, nobody knows: uncertain, not sent again.`,
        )
    },
    enlisting: (rows) => out.progress(`${counted(rows, 'subscriber')} put on the list`),
    begun(announcement, count) {
      toSend = count
      begunAt = performance.now()
      const { id, subject, cutOff } = announcement
      out.say(
        `${id}, "${subject}": ${grouped(count)} to send, who signed up before ${localTime(cutOff)}.`,
      )
    },
    result(status) {
      if (status !== 'queued') finished += 1
      const perSecond = finished / ((performance.now() - begunAt) / 1000)
      const left = (toSend - finished) / perSecond
      const end = finished > 0 ? `, ${spokenDuration(left)} left, ends ${endTime(left)}` : ''
      out.progress(`${grouped(finished)} of ${grouped(toSend)}, ${perSecond.toFixed(1)}/s${end}`)
    },
    waiting: (what) => out.progress(`${grouped(finished)} of ${grouped(toSend)}, waiting: ${what}`),
  }
}

function endTime(seconds: number): string {
  return localTime(new Date(Date.now() + seconds * 1000)).slice(-5)
}
