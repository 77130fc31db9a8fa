import table from './places.json' with { type: 'json' }

/** A place of the desk: the bar leads to it, or the page above it does. */
export interface Place {
  readonly path: string
  /** Of its tab and in the bar, and of the way back to it. */
  readonly title: string
  /** The place whose page leads to it; none for one in the bar. */
  readonly above?: string
  /** The words that lead to it from there. */
  readonly link?: string
  /** What it is about, where not each product has that: nothing leads to it without. */
  readonly needs?: string
}

export type PlaceName = keyof typeof table

/** In the order of the bar, and of the links on a page. The server and the page walk this list. */
export const places: Readonly<Record<PlaceName, Place>> = table

/** What the product has, of what a place may need. */
export type DeskHas = Readonly<Record<string, boolean>>

/** Those that a page leads to. @param above left out for the bar. */
export const placesBeneath = (has: DeskHas, above?: PlaceName): readonly Place[] =>
  Object.values(places).filter(
    (place) => place.above === above && (!place.needs || has[place.needs]),
  )

/** The place above one, for the way back. */
export const placeAbove = (name: PlaceName): Place =>
  places[(places[name].above ?? 'today') as PlaceName]
