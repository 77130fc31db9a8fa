import { isMailable, UNMAILABLE } from '../shared/mailable.ts'
import { type Mailer, MailerUnusable } from './mailer.ts'
import { letterOf } from './mime.ts'
import { answerOf, classify, isCrowded, isOfSession } from './smtp-outcome.ts'
import { SmtpPool } from './smtp-pool.ts'
import { openSession, type SmtpTimeouts } from './smtp-session.ts'

export interface SmtpMailerOptions {
  /** `smtp://user:pass@host:port`, or `smtps:` for TLS from the first byte. */
  readonly url: string
  readonly connections?: number
  readonly timeouts?: SmtpTimeouts
}

const defaultTimeouts: SmtpTimeouts = { connect: 30_000, silence: 300_000, message: 600_000 }
/** Sends over connections that are kept from letter to letter. @param options.url as `SMTP_URL` may be. */
export function smtpMailer(options: SmtpMailerOptions): Mailer {
  const { url, connections = 5, timeouts = defaultTimeouts } = options
  const pool = new SmtpPool(connections, (signal) => openSession(url, timeouts, signal))

  return {
    get connections() {
      return pool.most
    },
    async check() {
      const ms = 2 * timeouts.connect
      const signal = AbortSignal.timeout(ms)
      try {
        const { roundTripMs, takesUtf8, close } = await openSession(url, timeouts, signal)
        close()
        return { roundTripMs, isAsciiOnly: !takesUtf8 }
      } catch (cause) {
        const why = signal.aborted
          ? `its answer did not end within ${ms / 1000} s`
          : answerOf(cause)
        throw new MailerUnusable(`${new URL(url).hostname}: ${why}`, { cause })
      }
    },
    async send(message) {
      const { to } = message
      if (!isMailable(to)) return { kind: 'refused', answer: UNMAILABLE }
      const signal = AbortSignal.timeout(timeouts.message)
      try {
        const { from, mime } = await letterOf(message)
        // A letter is offered again only where the server surely did not take it.
        for (let isFresh = false; ; ) {
          const session = await pool.take(signal, isFresh)
          const since = performance.now()
          const hasDelivered = session.delivered > 0
          const outcome = await session.send(from, to, mime, signal)
          const isTooMany = isCrowded(outcome)
          if (isTooMany) session.close()
          if (outcome.kind === 'accepted' || !session.isOpen()) pool.give(session)
          else session.reset().then(() => pool.give(session))
          // One that had delivered had its number of letters, and is replaced.
          isFresh = hasDelivered && isOfSession(outcome) && !isTooMany
          if (!isFresh && !(isTooMany && pool.lower(since))) return outcome
        }
      } catch (error) {
        return classify(error, false)
      }
    },
    close: () => pool.close(),
  }
}
