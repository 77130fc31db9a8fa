import { isMailable, UNMAILABLE } from '../shared/mailable.ts'
import { type Mailer, MailerUnusable } from './mailer.ts'
import { letterOf } from './mime.ts'
import { answerOf, classify, isCrowded, isOfSession } from './smtp-outcome.ts'
import { openSession, type SmtpSession, type SmtpTimeouts } from './smtp-session.ts'

export interface SmtpMailerOptions {
  /** `smtp://user:pass@host:port`, or `smtps:` for TLS from the first byte. */
  readonly url: string
  readonly connections?: number
  readonly timeouts?: SmtpTimeouts
}

const defaultTimeouts: SmtpTimeouts = { connect: 30_000, silence: 300_000, message: 600_000 }
/** Below the five minutes after which a server may close a connection (RFC 5321, 4.5.3.2.7). */
const LONGEST_REST_MS = 240_000

/** Sends over connections that are kept from letter to letter. @param options.url one that `isSmtpUrl` */
export function smtpMailer(options: SmtpMailerOptions): Mailer {
  const { url, connections = 5, timeouts = defaultTimeouts } = options
  let kept: { readonly session: SmtpSession; readonly since: number }[] = []
  let [most, inUse, loweredAt, isClosed] = [connections, 0, 0, false]
  let freed = Promise.withResolvers<void>()

  function free() {
    inUse -= 1
    freed.resolve()
    freed = Promise.withResolvers()
  }

  /** @param isFresh a new one, and none that was kept. */
  async function take(signal: AbortSignal, isFresh: boolean): Promise<SmtpSession> {
    while (inUse >= most) await freed.promise
    inUse += 1
    const since = performance.now()
    try {
      if (isClosed) throw new Error('The mailer was closed')
      for (let one = isFresh ? undefined : kept.pop(); one; one = kept.pop()) {
        const isRested = performance.now() - one.since > LONGEST_REST_MS
        if (one.session.isOpen() && !isRested) return one.session
        one.session.close()
      }
      return await openSession(url, timeouts, signal)
    } catch (error) {
      free()
      if (isCrowded(classify(error, false)) && lower(since)) return take(signal, false)
      throw error
    }
  }

  function give(session: SmtpSession) {
    if (session.isOpen() && !isClosed) kept.push({ session, since: performance.now() })
    else session.close()
    free()
  }

  /**
   * Opens no more connections than there are, since the server had enough.
   *
   * @param since when it was asked: what it said before the last time is no new reason.
   * @returns whether to ask again; not where there is one at most.
   */
  function lower(since: number): boolean {
    if (since < loweredAt) return true
    kept = kept.filter(({ session }) => session.isOpen())
    const others = inUse + kept.length
    if (others === 0 || others >= most) return false
    most = others
    loweredAt = performance.now()
    return true
  }

  return {
    get connections() {
      return most
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
          const session = await take(signal, isFresh)
          const since = performance.now()
          const hasDelivered = session.delivered > 0
          const outcome = await session.send(from, to, mime, signal)
          const isTooMany = isCrowded(outcome)
          if (isTooMany) session.close()
          if (outcome.kind === 'accepted' || !session.isOpen()) give(session)
          else session.reset().then(() => give(session))
          // One that had delivered had its number of letters, and is replaced.
          isFresh = hasDelivered && isOfSession(outcome) && !isTooMany
          if (!isFresh && !(isTooMany && lower(since))) return outcome
        }
      } catch (error) {
        return classify(error, false)
      }
    },
    close() {
      isClosed = true
      for (const { session } of kept.splice(0)) session.close()
    },
  }
}
