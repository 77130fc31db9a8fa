/**
 * The waves of an announcement: shares of all, or a fixed number at a time until everybody is told.
 */
export type WavePlan = { readonly shares: readonly number[] } | { readonly size: number }

export const WAVES_RULE =
  'shares that rise to 100%, such as 1%,10%,50%,100%, or a number, such as 500'
export const EVERY_RULE = 'a length of time of at most 60 days, such as 90m, 2h or 1d'

const MOST_EVERY_MS = 60 * 86_400_000
const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `1%,10%,50%,100%`, or `500`. @returns `undefined` for anything else. */
export function parseWaves(text: string): WavePlan | undefined {
  if (/^[1-9]\d{0,8}$/.test(text)) return { size: Number(text) }
  const shares = text.split(',').map((part) => {
    const percent = /^\s*(\d{1,3}(?:\.\d+)?)%\s*$/.exec(part)?.[1]
    return percent === undefined ? Number.NaN : Number(percent) / 100
  })
  const isRising = shares.every((share, i) => share > (shares[i - 1] ?? 0))
  return isRising && shares.at(-1) === 1 ? { shares } : undefined
}

/** `90m`, `2h`, `1d`. @returns milliseconds; `undefined` for anything else. */
export function parseEvery(text: string): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,4})\s*(s|m|h|d)$/.exec(text) ?? []
  if (number === undefined) return undefined
  const ms = Number(number) * unitMs[unit as keyof typeof unitMs]
  return ms <= MOST_EVERY_MS ? ms : undefined
}

/** The one spelling of a plan, by which it is recognised. */
export function wavesInWords(plan: WavePlan): string {
  if ('size' in plan) return String(plan.size)
  return plan.shares.map((share) => `${Number((share * 100).toFixed(6))}%`).join(',')
}

/** The one spelling of the time between waves: `2h`. */
export function everyInWords(everyMs: number): string {
  const units = Object.entries(unitMs).toReversed()
  const [unit, ms] = units.find(([, ms]) => everyMs % ms === 0) ?? ['s', 1000]
  return `${everyMs / ms}${unit}`
}

/** How many letters were tried: those who left before their turn had none. */
export const triedOf = (of: { readonly taken: number; readonly passedOver: number }) =>
  of.taken - of.passedOver

/** The next wave. */
export interface Wave {
  /** From 1. */
  readonly number: number
  /** How many letters have been tried when it ends: who left before their turn had none. */
  readonly target: number
  readonly isLast: boolean
}

/**
 * The wave after one. A wave without recipients is skipped: its share of few people is too small.
 *
 * @param after the number of the wave before; 0 for the first. @param tried how many letters were.
 * @param all how many recipients there are, tried or not. @param passedOver how many of these left
 *   before their turn.
 */
export function nextWave(
  plan: WavePlan,
  after: number,
  tried: number,
  all: number,
  passedOver = 0,
): Wave {
  if ('size' in plan) {
    const target = Math.min(all, tried + plan.size)
    return { number: after + 1, target, isLast: target + passedOver >= all }
  }
  const { shares } = plan
  for (let number = Math.min(after + 1, shares.length); ; number += 1) {
    const isLast = number === shares.length
    const target = Math.ceil(all * (shares[number - 1] ?? 1))
    if (isLast || target > tried) return { number, target: isLast ? all : target, isLast }
  }
}

/**
 * When the next wave may begin: one interval after the begin of the wave before, and half an
 * interval after its end, to leave time for replies and complaints.
 */
export function nextWaveAt(begunAt: Date, endedAt: Date, everyMs: number): Date {
  return new Date(Math.max(begunAt.getTime() + everyMs, endedAt.getTime() + everyMs / 2))
}
