import type { Found } from '../../shared/found.ts'
import { isKept, perSecond, type Rate, rateInWords } from './rate.ts'

/** MAIL FROM, RCPT TO, DATA and the final dot are each answered before the next is sent. */
const SMTP_ROUND_TRIPS = 4
const LONG_S = 24 * 3600

export interface SpeedOptions {
  readonly toSend: number
  readonly rate: Rate
  /** How many messages the mail server is sent at the same time. */
  readonly connections: number
  /** How long the mail server takes for an answer, in milliseconds. */
  readonly awayMs: number
}

/** How long an announcement will take, if only the rate and the mail server's answers take time. */
export function checkTime({ toSend, rate, connections, awayMs }: SpeedOptions): Found {
  const asked = perSecond(rate)
  const most = (connections * 1000) / (SMTP_ROUND_TRIPS * awayMs)
  const speed = Math.min(asked, most)
  const seconds = toSend / speed
  // A rate of an hour or a day says that it may take days.
  const verdict = seconds > LONG_S && !isKept(rate) ? 'problem' : 'fine'
  const limit = asked <= most ? 'rate' : 'mail server'
  const data = {
    toSend,
    rate: rateInWords(rate),
    perSecond: speed,
    limit,
    awayMs,
    seconds,
  } as const
  return { code: 'time', verdict, ...data }
}
