import type { Place } from '../../shared/desk-place.ts'
import table from './places.json' with { type: 'json' }

export type PlaceName = keyof typeof table

/** In the order of the bar, and of the links on a page. The server and the page walk this list. */
export const places: Readonly<Record<PlaceName, Place>> = table

/** Those that a page leads to. @param above left out for the bar. */
export const placesBeneath = (all: readonly Place[], above?: PlaceName): readonly Place[] =>
  all.filter((place) => place.above === above)

/** The place above one, for the way back. */
export const placeAbove = ({ above = 'today' }: Place): Place => places[above as PlaceName]
