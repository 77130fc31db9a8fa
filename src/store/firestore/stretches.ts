import type { Timestamp } from '@google-cloud/firestore'
import { inOrder, type Sheet, type SummaryPage } from './summary-pages.ts'

/** Pages of one moment that follow each other; without a moment, what has to be read anew. */
export interface Stretch extends Omit<Sheet, 'addresses'> {
  readonly asOf?: Timestamp | undefined
  readonly pages: readonly SummaryPage[]
}

/** All there is, from the first address to the last: what was kept, and what lies between. */
export function stretchesOf(pages: readonly SummaryPage[]): Stretch[] {
  const stretches: Stretch[] = []
  let from: string | undefined = ''
  for (const page of pages) {
    if (from === undefined || inOrder(page.from, from) < 0) {
      // Several looks got into each other's way: what is said twice is read anew.
      const other = stretches.pop()
      from = furthest(from, page.to)
      stretches.push({ from: other?.from ?? '', to: from, pages: [...(other?.pages ?? []), page] })
      continue
    }
    if (page.from !== from) stretches.push({ from, to: page.from, pages: [] })
    const last = stretches.at(-1)
    if (last?.asOf?.isEqual(page.asOf)) stretches[stretches.length - 1] = joined(last, page)
    else stretches.push({ from: page.from, to: page.to, asOf: page.asOf, pages: [page] })
    from = page.to
  }
  if (from !== undefined) stretches.push({ from, to: undefined, pages: [] })
  return stretches
}

function joined(stretch: Stretch, page: SummaryPage): Stretch {
  return { ...stretch, to: page.to, pages: [...stretch.pages, page] }
}

function furthest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined
  return inOrder(one, other) > 0 ? one : other
}
