import { isOpen, type Opening } from '../store/opening.ts'
import type { Openings } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'

/** What a server shows now: the open page, or the one that says Coming Soon. */
export interface OpeningWatch {
  /** Where the open page's button leads; `undefined` while the page says Coming Soon. */
  url(): string | undefined
  /** Calls `turn` with the url whenever it changes. */
  onTurn(turn: (url: string | undefined) => void): void
  /** Resolves after the first look at the store, also if that failed. */
  readonly looked: Promise<void>
  /** Ends before the store is closed. */
  close(): Promise<void>
}

/** The longest delay of an opening, and of noticing that the clock was set. */
const TICK_MS = 500
const LOOK_EVERY_MS = 500

/**
 * Watches whether the page is open, until it is closed. During an outage of the store the last
 * known opening holds, and its time still comes.
 *
 * @param report gets a fault of ours, once until it is over.
 */
export function watchOpening(
  store: Pick<Openings, 'get' | 'noteOpened'>,
  report: (fault: unknown) => void,
): OpeningWatch {
  let known: Opening | undefined
  const shown = new ShownOpening(store, say)
  let nextLook = 0
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> | undefined
  let isFaulty = false

  async function look() {
    try {
      known = await store.get()
      isFaulty = false
    } catch (fault) {
      say(fault)
    }
    nextLook = performance.now() + LOOK_EVERY_MS
    shown.decide(known)
  }

  function say(fault: unknown) {
    // The store itself reports an outage.
    if (fault instanceof StoreUnavailable || isFaulty) return
    isFaulty = true
    report(fault)
  }

  function lookNow() {
    looking = look().finally(() => {
      looking = undefined
    })
    return looking
  }

  function tick() {
    if (isClosed) return
    shown.decide(known)
    if (!looking && performance.now() >= nextLook) lookNow()
    const left = known && !isOpen(known, new Date()) ? known.at.getTime() - Date.now() : TICK_MS
    timer = setTimeout(tick, Math.max(1, Math.min(TICK_MS, left)))
    timer.unref()
  }

  const looked = lookNow()
  tick()

  return {
    url: () => shown.url,
    onTurn: (turn) => void shown.listeners.push(turn),
    looked,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([looking, shown.noting])
    },
  }
}

/** What is shown. An opening that has happened stays, even while that cannot be written. */
class ShownOpening {
  url: string | undefined
  readonly listeners: ((url: string | undefined) => void)[] = []
  /** What is being written. */
  noting: Promise<void> | undefined
  readonly #store: Pick<Openings, 'noteOpened'>
  readonly #failed: (fault: unknown) => void
  #latched: string | undefined
  #noted: Opening | undefined

  /** @param failed gets why an opening that happened cannot be written. */
  constructor(store: Pick<Openings, 'noteOpened'>, failed: (fault: unknown) => void) {
    this.#store = store
    this.#failed = failed
  }

  /** To be called when time has gone by, or another opening is known. */
  decide(known: Opening | undefined) {
    const now = new Date()
    const isNow = known !== undefined && (isOpen(known, now) || this.#latched === nameOf(known))
    if (isNow && !known.openedAt) this.#latch(known, now)
    if (!isNow) this.#latched = undefined
    const url = isNow ? known.url : undefined
    if (url === this.url) return
    this.url = url
    for (const turn of this.listeners) turn(url)
  }

  /** From here on, a clock that is set back does not close the page. */
  #latch(opening: Opening, now: Date) {
    this.#latched = nameOf(opening)
    if (this.#noted !== opening) this.noting ??= this.#note(opening, now)
  }

  async #note(opening: Opening, now: Date) {
    await this.#store.noteOpened(opening, now).then(() => {
      this.#noted = opening
    }, this.#failed)
    this.noting = undefined
  }
}

const nameOf = ({ url, at }: Opening) => `${at.toISOString()} ${url}`
