import type { Mailer } from '../../mail/mailer.ts'
import type { Finding } from '../../shared/finding.ts'
import { isKept, perSecond, type Rate, rateInWords } from './rate.ts'

/** MAIL FROM, RCPT TO, DATA and the final dot are each answered before the next is sent. */
const SMTP_ROUND_TRIPS = 4
const LONG_S = 24 * 3600

export interface SpeedOptions {
  readonly toSend: number
  readonly rate: Rate
  readonly mailer: Pick<Mailer, 'connections'>
}

/**
 * How long an announcement will take, if only the rate and the mail server's answers take time.
 *
 * @param found what was found of the mail server, among others.
 */
export function checkTime(
  found: readonly Finding[],
  { toSend, rate, mailer }: SpeedOptions,
): Finding {
  const { ms: awayMs = 0 } = found.find((one) => one.code === 'mail-server') ?? {}
  const asked = perSecond(rate)
  const most = (mailer.connections * 1000) / (SMTP_ROUND_TRIPS * awayMs)
  const speed = Math.min(asked, most)
  const seconds = toSend / speed
  // A rate of an hour or a day says that it may take days.
  const verdict = seconds > LONG_S && !isKept(rate) ? 'problem' : 'note'
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
