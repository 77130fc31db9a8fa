import type { IncomingHttpHeaders } from 'node:http'
import { sourceIn, sourceName } from '../shared/source.ts'
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

/** More names than people come from in a second. */
const MOST_NAMES_AT_ONCE = 200
/** How many hours are remembered while nothing can be stored. */
const MOST_HOURS = 48
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

/** The visits that are counted and not stored yet, by the hour, in bounded memory. */
export class VisitHours {
  readonly #ownHost: string | undefined
  readonly #hours = new Map<number, Hour>()

  /** @param ownHost a link from there is no source. */
  constructor(ownHost: string | undefined) {
    this.#ownHost = ownHost
  }

  count(kind: VisitKind): Hour {
    const hour = this.#at(Math.floor(Date.now() / HOUR_MS))
    hour.counts[kind] += 1
    return hour
  }

  countFirst({ referer = '', host = '' }: IncomingHttpHeaders, opened: string | undefined) {
    const hour = this.count('first')
    // Most visits name no source.
    if (referer === '' && !opened?.includes('?')) return
    const link = [referer, host, opened].join('\n')
    hour.links.set(link, (hour.links.get(link) ?? 0) + 1)
    if (hour.links.size >= MOST_LINKS_AT_ONCE) this.#readLinks(hour)
  }

  /** All of them, which are then no longer here. */
  take(): CountedHour[] {
    const taken = [...this.#hours].map(([at, hour]) => {
      this.#readLinks(hour)
      return { hour: new Date(at * HOUR_MS), counts: hour.counts, names: hour.names.counts() }
    })
    this.#hours.clear()
    return taken
  }

  /** Adds what was taken to what was counted since. */
  putBack(taken: readonly CountedHour[]) {
    for (const { hour, counts, names } of taken) {
      const since = this.#at(hour.getTime() / HOUR_MS)
      for (const kind of visitKinds) since.counts[kind] += counts[kind]
      for (const name of names) since.names.add(name)
    }
  }

  #at(hour: number): Hour {
    const known = this.#hours.get(hour)
    if (known) return known
    const begun = { counts: noVisits(), names: nameCounter(MOST_NAMES_AT_ONCE), links: new Map() }
    this.#hours.set(hour, begun)
    if (this.#hours.size > MOST_HOURS) this.#hours.delete(Math.min(...this.#hours.keys()))
    return begun
  }

  #readLinks({ links, names }: Hour) {
    for (const [link, number] of links) {
      const [referer = '', host = '', opened = ''] = link.split('\n')
      const from = hostOf(referer, host, this.#ownHost)
      for (const [kind, name] of namesOf(sourceIn(opened) ?? {}, from))
        names.add({ kind, name, number })
    }
    links.clear()
  }
}

/** The host of the page with the link, without `www.`; none for a link of our own. */
function hostOf(referer: string, host: string, ownHost: string | undefined) {
  if (referer === '') return undefined
  const from = URL.parse(referer)
  if (!from || from.host === host || from.host === ownHost) return undefined
  return sourceName(from.hostname.replace(/^www\./, ''))
}
