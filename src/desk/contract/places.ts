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
  readonly needs?: keyof DeskHas
}

/** What a product may have, and another not. */
export interface DeskHas {
  readonly question: boolean
  readonly referrals: boolean
}

/** In the order of the bar, and of the links on a page. The server and the page walk this list. */
export const places = {
  today: { path: '/desk', title: 'Today' },
  people: { path: '/desk/people', title: 'People' },
  letters: { path: '/desk/letters', title: 'Letters' },
  opening: { path: '/desk/opening', title: 'Opening' },
  access: { path: '/desk/access', title: 'Access' },
  embed: {
    path: '/desk/embed',
    title: 'Your form',
    above: 'today',
    link: 'Your form for another site',
  },
  referrals: {
    path: '/desk/referrals',
    title: 'Friends',
    above: 'people',
    link: 'Who referred friends by their personal link',
    needs: 'referrals',
  },
  answers: {
    path: '/desk/answers',
    title: 'Answers',
    above: 'people',
    link: 'What they answered to the question of your page',
    needs: 'question',
  },
  came: {
    path: '/desk/came',
    title: 'Who became a user',
    above: 'letters',
    link: 'Which of those who were told became users',
  },
} as const satisfies Readonly<Record<string, Place>>

export type PlaceName = keyof typeof places

/** All of them, by name. */
export const placeList: readonly (readonly [PlaceName, Place])[] = Object.entries(places) as [
  PlaceName,
  Place,
][]

/** Those that a page leads to. @param above left out for the bar. */
export const placesBeneath = (has: DeskHas, above?: PlaceName): readonly Place[] =>
  placeList.flatMap(([, place]) =>
    place.above === above && (!place.needs || has[place.needs]) ? place : [],
  )

/** The place above one, for the way back. */
export function placeAbove(name: PlaceName): Place {
  const { above }: Place = places[name]
  return placeList.find(([one]) => one === above)?.[1] ?? places.today
}
