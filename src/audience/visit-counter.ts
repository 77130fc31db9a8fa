import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { OUR_AGENT } from '../shared/our-agent.ts'
import type { Visits } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { VisitHours } from './visit-hours.ts'
import { visitorKinds } from './visitor-kind.ts'

export type VisitCounter = ReturnType<typeof visitCounter>

const CLOSE_WITHIN_MS = 2000
const RETRY_EVERY_MS = 50

/**
 * Counts visits in memory and stores them every second or so, apart from the answers. Counts that
 * cannot be stored are tried again with the next ones.
 *
 * @param ownHost the page's host as `PUBLIC_URL` has it; a link from there is no source.
 * @param onFault gets errors that are no outage: the store itself reports an outage.
 */
export function visitCounter(
  visits: Pick<Visits, 'add'>,
  ownHost: string | undefined,
  onFault: (cause: unknown) => void,
  everyMs = 1000,
) {
  const kindOf = visitorKinds()
  const hours = new VisitHours(ownHost)
  let timer: NodeJS.Timeout | undefined
  let keeping: Promise<unknown> | undefined

  /** Stores the counts, and puts them back if that fails. */
  async function keep(): Promise<boolean> {
    clearTimeout(timer)
    timer = undefined
    const taken = hours.take()
    if (taken.length === 0) return true
    try {
      await visits.add(taken)
      return true
    } catch (cause) {
      hours.putBack(taken)
      keepSoon()
      if (!(cause instanceof StoreUnavailable)) onFault(cause)
      return false
    }
  }

  function keepSoon() {
    timer ??= setTimeout(() => {
      keeping = keep()
    }, everyMs).unref()
  }

  return {
    /**
     * Counts an opened page, in memory: it never waits and never throws.
     *
     * @param opened its URL, which may name a source. @param isReturn whether the browser had the page.
     */
    count(headers: IncomingHttpHeaders, opened: string | undefined, isReturn: boolean) {
      if (headers['user-agent'] === OUR_AGENT) return
      const kind = kindOf(headers)
      if (kind === 'person' && !isReturn) hours.countFirst(headers, opened)
      else hours.count(kind === 'person' ? 'return' : kind)
      keepSoon()
    },

    /** Stores the counts. Never throws. */
    async close() {
      clearTimeout(timer)
      await keeping
      const until = performance.now() + CLOSE_WITHIN_MS
      // Another process may have the file for a moment.
      while (!(await keep()) && performance.now() < until) await sleep(RETRY_EVERY_MS)
      clearTimeout(timer)
    },
  }
}
