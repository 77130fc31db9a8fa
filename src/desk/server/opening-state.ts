import { countdownBeside, openingInWords } from '../../opening/read-opening.ts'
import type { Product } from '../../shared/product.ts'
import { isOpen, type Opening } from '../../store/opening.ts'
import type { OpeningState } from '../contract/opening.ts'

export function openingStateOf(
  opening: Opening | undefined,
  product: Pick<Product, 'opensAt'>,
  now: Date,
): OpeningState {
  const state = { at: Number(now), words: openingInWords(opening, now, product) }
  if (!opening) return state
  if (isOpen(opening, now)) return { ...state, isOpen: true }
  const beside = countdownBeside(opening, product)
  return { ...state, isOpen: false, opensAt: Number(opening.at), ...(beside && { beside }) }
}

/** A mark of the opening: it changes when the opening is set or taken back, or the page opens. */
export function markOf(opening: Opening | undefined, now: Date): string {
  if (!opening) return 'none'
  return [isOpen(opening, now) ? 'open' : opening.at.toISOString(), opening.url].join(' ')
}

/** How long until the page opens by itself, in milliseconds. */
export const untilOpen = ({ opensAt = Number.POSITIVE_INFINITY }: OpeningState): number =>
  Math.max(0, opensAt - Date.now()) + JUST_AFTER_MS

const JUST_AFTER_MS = 50
