import { isOpen, type Opening, type Openings } from '../store/opening.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'

/** What a server shows now: the open page, or the one that says Coming Soon. */
export interface OpeningWatch {
  /** Where the open page's button leads; `undefined` while the page says Coming Soon. */
  url(): string | undefined
  /** Has `turn` called with that whenever it changes. */
  onTurn(turn: (url: string | undefined) => void): void
  /** Resolves when the store was looked at for the first time, or could not be. */
  readonly looked: Promise<void>
  /** Ends before the store is closed. */
  close(): Promise<void>
}

/** How long a moment may be missed by, and a clock that was set may go unnoticed. */
const TICK_MS = 500

/**
 * Watches whether the page is open, until it is closed. While the store cannot be used, what was set
 * last holds, and its time still comes.
 *
 * @param report is given a fault of ours, once until it is over.
 */
export function watchOpening(
  store: Pick<Openings, 'lookEveryMs' | 'get' | 'onChange' | 'noteOpened'>,
  report: (fault: unknown) => void,
): OpeningWatch {
  const listeners: ((url: string | undefined) => void)[] = []
  let known: Opening | undefined
  /** What was open once stays so, also while that cannot be written. */
  let latched: string | undefined
  let shown: string | undefined
  let nextLook = 0
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> | undefined
  let isAskedAgain = false
  let noting: Promise<void> | undefined
  let isFaulty = false
  let endListening: (() => void) | undefined

  async function look() {
    try {
      known = await store.get()
      isFaulty = false
      // Only now is it known that the store can be reached.
      if (!isClosed) endListening ??= store.onChange(lookNow)
    } catch (fault) {
      say(fault)
    }
    nextLook = performance.now() + store.lookEveryMs
    decide()
  }

  function say(fault: unknown) {
    // The store says by itself when it is away.
    if (fault instanceof StoreUnavailable || isFaulty) return
    isFaulty = true
    report(fault)
  }

  /** One look at a time; whatever changed during one is looked for after it. */
  function lookNow() {
    if (isClosed) return
    if (looking) {
      isAskedAgain = true
      return
    }
    looking = look().finally(() => {
      looking = undefined
      if (!isAskedAgain) return
      isAskedAgain = false
      lookNow()
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

  /** From here on no clock closes it. */
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
      endListening?.()
      await Promise.all([looking, noting])
    },
  }
}

const nameOf = ({ url, at }: Opening) => `${at.toISOString()} ${url}`
