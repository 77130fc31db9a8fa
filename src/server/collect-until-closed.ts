import type { FastifyBaseLogger } from 'fastify'
import type { OpenedCollector } from '../from-firestore/open-collector.ts'
import type { OpeningWatch } from '../opening/watch-opening.ts'
import { endOfRequests } from '../people/confirmation-lifetime.ts'
import type { Shown } from '../people/pending.ts'
import { type Running, rounds } from '../queue/sending-round.ts'
import { InboxUnavailable } from '../store/inbox.ts'
import { firstCost } from '../store/inbox-rules.ts'

/** A browser writes only an address and a time, so the build of its page is unknown. */
const UNKNOWN_BUILD = 'on Firebase'
/** Between two looks for requests to confirm, and for noes that Google has yet to get. */
const PAUSE_MS = 20_000

export interface CollectUntilClosedOptions {
  readonly collector: OpenedCollector
  /**
   * The words of our own build of the page, which are the product's; `undefined` where nobody is asked
   * to confirm.
   */
  readonly shown: { readonly page: Shown; readonly openPage: Shown } | undefined
  /** Whether the page is open: a browser does not write which page it showed. */
  readonly opening: Pick<OpeningWatch, 'url'>
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly pauseMs?: number
}

/** Takes in what visitors of a page on Firebase wrote, until it is closed. */
export function collectUntilClosed(options: CollectUntilClosedOptions): Running {
  const { collector, shown, opening, log, pauseMs = PAUSE_MS } = options
  const { collect } = collector
  const closing = new AbortController()
  const { signal } = closing
  let lookAt = 0
  let fault = ''

  /** @returns whether there is more to do at once. */
  async function round(): Promise<boolean> {
    const isMore = shown !== undefined && (await takeInRequests(shown))
    if (performance.now() < lookAt) await collect.tell()
    else lookAt = performance.now() + (await collect.look({ signal, first }))
    if (fault) log.info('Sign-ups are taken in from Firestore again.')
    fault = ''
    return isMore
  }

  function takeInRequests({ page, openPage }: { page: Shown; openPage: Shown }) {
    const seen = opening.url() === undefined ? page : openPage
    return collect.takeInRequests({ ...seen, page: UNKNOWN_BUILD }, endOfRequests(new Date()))
  }

  function first(documents: number) {
    const cost = firstCost(documents)
    if (cost) log.info(`${documents} documents are read from Firestore: ${cost}.`)
  }

  function noted(cause: unknown): never {
    if (cause instanceof InboxUnavailable && cause.message !== fault) {
      fault = cause.message
      log.error(fault)
    }
    throw cause
  }

  const running = rounds({
    round: () => collector.inTurn(round, 0).catch(noted),
    nextPause: () => pauseMs,
    onFault: (name) => log.warn(`Sign-ups cannot be taken in from Firestore: ${name}`),
    stop: () => closing.abort(),
  })
  return {
    async close() {
      await running.close()
      await collector.close()
    },
  }
}
