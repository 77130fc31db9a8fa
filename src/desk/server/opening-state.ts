import { countdownOf } from '../../opening/read-opening.ts'
import type { Product } from '../../shared/product.ts'
import { isOpen, type Opening } from '../../store/opening.ts'
import type { OpeningState, SetOpening } from '../contract/opening.ts'

export function setOpeningOf(opening: Opening, now: Date): SetOpening {
  const { url, at, zone, openedAt } = opening
  return { url, at: Number(openedAt ?? at), zone, isOpen: isOpen(opening, now) }
}

export function openingStateOf(
  opening: Opening | undefined,
  product: Pick<Product, 'opensAt'>,
  now: Date,
): OpeningState {
  const promised = countdownOf(product)
  return {
    at: Number(now),
    ...(opening && { set: setOpeningOf(opening, now) }),
    ...(promised && {
      countdown: {
        at: Number(promised.at),
        zone: promised.zone,
        isAsSet: opening === undefined || Number(opening.at) === Number(promised.at),
      },
    }),
  }
}

/** A mark of the opening: it changes when the opening is set or taken back, or the page opens. */
export function markOf(opening: Opening | undefined, now: Date): string {
  if (!opening) return 'none'
  return [isOpen(opening, now) ? 'open' : opening.at.toISOString(), opening.url].join(' ')
}

/** How long until the page opens by itself, in milliseconds. */
export function untilOpen(opening: SetOpening | undefined): number {
  if (!opening || opening.isOpen) return Number.POSITIVE_INFINITY
  return Math.max(0, opening.at - Date.now()) + JUST_AFTER_MS
}

const JUST_AFTER_MS = 50
