import { classify, isCrowded } from './smtp-outcome.ts'
import type { SmtpSession } from './smtp-session.ts'

/** Below the five minutes after which a server may close a connection (RFC 5321, 4.5.3.2.7). */
const LONGEST_REST_MS = 240_000

/** Connections that are kept from letter to letter. */
export class SmtpPool {
  /** How many there may be at the same time. */
  most: number
  readonly #open: (signal: AbortSignal) => Promise<SmtpSession>
  #kept: { readonly session: SmtpSession; readonly since: number }[] = []
  #inUse = 0
  #loweredAt = 0
  #isClosed = false
  #freed = Promise.withResolvers<void>()

  constructor(most: number, open: (signal: AbortSignal) => Promise<SmtpSession>) {
    this.most = most
    this.#open = open
  }

  /** @param isFresh a new one, and none that was kept. @throws why none can be opened */
  async take(signal: AbortSignal, isFresh: boolean): Promise<SmtpSession> {
    while (this.#inUse >= this.most) await this.#freed.promise
    this.#inUse += 1
    const since = performance.now()
    try {
      if (this.#isClosed) throw new Error('The mailer was closed')
      for (let one = isFresh ? undefined : this.#kept.pop(); one; one = this.#kept.pop()) {
        const isRested = performance.now() - one.since > LONGEST_REST_MS
        if (one.session.isOpen() && !isRested) return one.session
        one.session.close()
      }
      return await this.#open(signal)
    } catch (error) {
      this.#free()
      if (isCrowded(classify(error, false)) && this.lower(since)) return this.take(signal, false)
      throw error
    }
  }

  give(session: SmtpSession) {
    if (session.isOpen() && !this.#isClosed) this.#kept.push({ session, since: performance.now() })
    else session.close()
    this.#free()
  }

  /**
   * Opens no more connections than there are, since the server had enough.
   *
   * @param since when it was asked: what it said before the last time is no new reason.
   * @returns whether to ask again; not where there is one at most.
   */
  lower(since: number): boolean {
    if (since < this.#loweredAt) return true
    this.#kept = this.#kept.filter(({ session }) => session.isOpen())
    const others = this.#inUse + this.#kept.length
    if (others === 0 || others >= this.most) return false
    this.most = others
    this.#loweredAt = performance.now()
    return true
  }

  close() {
    this.#isClosed = true
    for (const { session } of this.#kept.splice(0)) session.close()
  }

  #free() {
    this.#inUse -= 1
    this.#freed.resolve()
    this.#freed = Promise.withResolvers()
  }
}
