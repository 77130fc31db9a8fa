import type { RollRow } from './roll.ts'

export type Place = Pick<RollRow, 'at' | 'id'>

/** The place of the next page: a time and a number, without an address. */
export function placeAfter(rows: readonly Place[], limit: number): { readonly next?: string } {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return last ? { next: `${last.at}-${last.id}` } : {}
}

/** @returns nothing for an invalid place: the list begins at its start. */
export function placeIn(after: string | undefined): Place | undefined {
  const found = /^(\d{1,16})-(\d{1,16})$/.exec(after ?? '')
  const [at, id] = [Number(found?.[1]), Number(found?.[2])]
  return Number.isSafeInteger(at) && Number.isSafeInteger(id) ? { at, id } : undefined
}
