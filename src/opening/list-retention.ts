import { endOfRetention, readRetention } from '../shared/retention.ts'
import { isOpen } from '../store/opening.ts'
import type { Store } from '../store/store.ts'

/** When the list is to be erased, by `retain` of the product. */
export interface ListRetention {
  readonly until: Date
  readonly isOver: boolean
  /** How many are still on the list; counted only when the time is over. */
  readonly people: number
}

/** @returns nothing where no time is set, or the page has not opened. @throws StoreUnavailable */
export async function listRetention(
  store: Pick<Store, 'opening' | 'list'>,
  retain: string | undefined,
  now: Date,
): Promise<ListRetention | undefined> {
  const retention = readRetention(retain)
  if (!retention) return undefined
  const opening = await store.opening.get()
  if (!opening || !isOpen(opening, now)) return undefined
  const until = endOfRetention(retention, opening.openedAt ?? opening.at)
  const isOver = now >= until
  return { until, isOver, people: isOver ? await store.list.count() : 0 }
}
