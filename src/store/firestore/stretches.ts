import type { Timestamp } from '@google-cloud/firestore'
import { inOrder, type Sheet, type SummaryPage } from './summary-pages.ts'

/** Successive pages of one moment; without a moment, a range that has to be read again. */
export interface Stretch extends Omit<Sheet, 'addresses'> {
  readonly asOf?: Timestamp | undefined
  readonly pages: readonly SummaryPage[]
}

/** The whole range of addresses: the stored pages, and the gaps between them. */
export function stretchesOf(pages: readonly SummaryPage[]): Stretch[] {
  const stretches: Stretch[] = []
  let from: string | undefined = ''
  for (const page of pages) {
    if (from === undefined || inOrder(page.from, from) < 0) {
      // Two looks at the same time wrote overlapping pages: their range is read again.
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
