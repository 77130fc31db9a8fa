import type { FeatureParts } from '../feature.ts'
import { countReplies } from './count-replies.ts'
import { repliesFigure, repliesTable, reportOfReplies } from './report.ts'

/** What people replied. */
export const report = async ({ store, product }: FeatureParts) =>
  reportOfReplies(await countReplies(store), product.question?.ask)

/** How many replies are shown there at first. */
const MOST_REPLIES = 5

export async function inStatus({ store }: FeatureParts) {
  const counts = await countReplies(store)
  const act = { code: 'answers', words: 'All', command: 'answers' }
  return {
    states: [{ ...repliesFigure(counts), act }],
    table: { ...repliesTable(counts), most: MOST_REPLIES },
  }
}
