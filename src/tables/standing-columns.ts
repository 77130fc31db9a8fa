import type { Departure } from '../people/standing.ts'
import words from './column-words.json' with { type: 'json' }
import { bare } from './row-standing.ts'

/** What the cells of a column say of people. */
export interface ColumnKind {
  /** Who has a yes or a time there left; who has a no there never agreed, or left; or a word says it. */
  readonly says: 'left' | 'agreed' | 'status'
  /** How they stand then. */
  readonly standing: Departure | 'unconfirmed'
}

const listed = (list: string) => bare(list).split(' ')
const kinds = new Map(
  words.kinds.flatMap(({ names, ...kind }) =>
    listed(names).map((name) => [name, kind as ColumnKind] as const),
  ),
)
const saysNothing = new Set(listed(words['says nothing']))
const maySay = listed(words['may say'])

/** @param name as `plainWord` gives it. @returns nothing for a column that is about something else. */
export function columnKind(name: string): ColumnKind | 'unclear' | undefined {
  if (kinds.has(name) || saysNothing.has(name)) return kinds.get(name)
  return maySay.some((part) => name.includes(part)) ? 'unclear' : undefined
}
