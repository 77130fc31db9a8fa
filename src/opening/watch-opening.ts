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
  const listeners: ((url: string | undefined) => void)[] = []
  let known: Opening | undefined
  /** The opening that has happened: it stays, even while that cannot be written. */
  let latched: string | undefined
  let shown: string | undefined
  let nextLook = 0
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> | undefined
  let noting: Promise<void> | undefined
  let isFaulty = false

  async function look() {
    try {
      known = await store.get()
      isFaulty = false
    } catch (fault) {
      say(fault)
    }
    nextLook = performance.now() + LOOK_EVERY_MS
    decide()
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
  }

  function decide() {
    const now = new Date()
    const isNow = known !== undefined && (isOpen(known, now) || latched === nameOf(known))
    if (isNow && known && !known.openedAt) latch(known, now)
    if (!isNow) latched = undefined
    const url = isNow ? known?.url : undefined
    if (url === shown) return
    shown = url
    for (const turn of listeners) turn(url)
  }

  /** From here on, a clock that is set back does not close the page. */
  function latch(opening: Opening, now: Date) {
    latched = nameOf(opening)
    noting ??= store
      .noteOpened(opening, now)
      .then(() => {
        if (known === opening) known = { ...opening, openedAt: now }
      })
      .catch(say)
      .finally(() => {
        noting = undefined
      })
  }

  function tick() {
    if (isClosed) return
    decide()
    if (!looking && performance.now() >= nextLook) lookNow()
    const left = known && !isOpen(known, new Date()) ? known.at.getTime() - Date.now() : TICK_MS
    timer = setTimeout(tick, Math.max(1, Math.min(TICK_MS, left)))
    timer.unref()
  }

  lookNow()
  const looked = looking ?? Promise.resolve()
  tick()

  return {
    url: () => shown,
    onTurn: (turn) => void listeners.push(turn),
    looked,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([looking, noting])
    },
  }
}

const nameOf = ({ url, at }: Opening) => `${at.toISOString()} ${url}`
