import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { OUR_AGENT } from '../shared/our-agent.ts'
import { sourceIn, sourceName } from '../shared/source.ts'
import type { Visits } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import {
  type CountedHour,
  HOUR_MS,
  type NameCounter,
  nameCounter,
  namesOf,
  noVisits,
  type VisitKind,
  visitKinds,
} from '../store/visits.ts'
import { visitorKinds } from './visitor-kind.ts'

export interface VisitCounter {
  /**
   * Counts an opened page, in memory: it never waits and never throws.
   *
   * @param opened its URL, which may name a source. @param isReturn whether the browser had the page.
   */
  count(headers: IncomingHttpHeaders, opened: string | undefined, isReturn: boolean): void
  /** Stores the counts. Never throws. */
  close(): Promise<void>
}

/** More names than people come from in a second. */
const MOST_NAMES_AT_ONCE = 200
/** How many hours are remembered while nothing can be stored. */
const MOST_HOURS = 48
const CLOSE_WITHIN_MS = 2000
const RETRY_EVERY_MS = 50

/** How many different links are counted apart before their names are read. */
const MOST_LINKS_AT_ONCE = 200

interface Hour {
  readonly counts: Record<VisitKind, number>
  readonly names: NameCounter
  /**
   * First visits by the headers that may name their source. Parsing these takes longer than
   * answering, and on a busy day most are equal.
   */
  readonly links: Map<string, number>
}

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
): VisitCounter {
  const kindOf = visitorKinds()
  const hours = new Map<number, Hour>()
  let timer: NodeJS.Timeout | undefined
  let keeping: Promise<unknown> | undefined

  function thisHour(): Hour {
    const hour = Math.floor(Date.now() / HOUR_MS)
    const known = hours.get(hour)
    if (known) return known
    const begun = emptyHour()
    hours.set(hour, begun)
    const [oldest = hour] = hours.keys()
    if (hours.size > MOST_HOURS) hours.delete(oldest)
    return begun
  }

  /** Stores the counts, and puts them back if that fails. */
  async function keep(): Promise<boolean> {
    clearTimeout(timer)
    timer = undefined
    const taken = [...hours].map(([at, hour]) => {
      readLinks(hour)
      return { hour: new Date(at * HOUR_MS), counts: hour.counts, names: hour.names.counts() }
    })
    hours.clear()
    if (taken.length === 0) return true
    try {
      await visits.add(taken)
      return true
    } catch (cause) {
      putBack(taken)
      if (!(cause instanceof StoreUnavailable)) onFault(cause)
      return false
    }
  }

  function putBack(taken: readonly CountedHour[]) {
    for (const { hour, counts, names } of taken) {
      const at = hour.getTime() / HOUR_MS
      const since = hours.get(at) ?? emptyHour()
      for (const kind of visitKinds) since.counts[kind] += counts[kind]
      for (const name of names) since.names.add(name)
      hours.set(at, since)
    }
    keepSoon()
  }

  function readLinks({ links, names }: Hour) {
    for (const [link, number] of links) {
      const [referer = '', host = '', opened = ''] = link.split('\n')
      for (const [kind, name] of namesOf(sourceIn(opened) ?? {}, hostOf(referer, host, ownHost)))
        names.add({ kind, name, number })
    }
    links.clear()
  }

  function keepSoon() {
    timer ??= setTimeout(() => {
      keeping = keep()
    }, everyMs).unref()
  }

  return {
    count(headers, opened, isReturn) {
      if (headers['user-agent'] === OUR_AGENT) return
      const kind = kindOf(headers)
      const hour = thisHour()
      const { counts, links } = hour
      if (kind !== 'person') counts[kind] += 1
      else if (isReturn) counts.return += 1
      else {
        counts.first += 1
        const { referer = '', host = '' } = headers
        // Most visits name no source.
        if (referer !== '' || opened?.includes('?')) {
          const link = [referer, host, opened].join('\n')
          links.set(link, (links.get(link) ?? 0) + 1)
          if (links.size >= MOST_LINKS_AT_ONCE) readLinks(hour)
        }
      }
      keepSoon()
    },

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

function emptyHour(): Hour {
  return { counts: noVisits(), names: nameCounter(MOST_NAMES_AT_ONCE), links: new Map() }
}

/** The host of the page with the link, without `www.`; none for a link of our own. */
function hostOf(referer: string, host: string, ownHost: string | undefined) {
  if (referer === '') return undefined
  const from = URL.parse(referer)
  if (!from || from.host === host || from.host === ownHost) return undefined
  return sourceName(from.hostname.replace(/^www\./, ''))
}
