import { setImmediate as turn } from 'node:timers/promises'
import { mayBeWrittenTo } from '../../people/standing.ts'
import { batches } from '../../shared/batches.ts'
import { replyIn } from '../../shared/reply.ts'
import type { SubscriberList } from '../../store/store.ts'
import type { ListedSubscriber } from '../../store/subscriber-list.ts'

/** What those on the list who may be written to replied, as far as they did. */
export interface ReplyCounts {
  /** All of them. */
  readonly people: number
  readonly answered: number
  /** The most frequent first. */
  readonly answers: readonly { readonly answer: string; readonly people: number }[]
  /** How many gave a reply that is not among these, since there are too many different ones. */
  readonly others: number
}

const BATCH = 500
/** Texts of strangers: only so many different ones are kept in memory. */
const MOST_REPLIES = 10_000

/** Counts the replies of those who may be written to. Reads all of them. @throws StoreUnavailable */
export async function countReplies(list: Pick<SubscriberList, 'stream'>): Promise<ReplyCounts> {
  const counter = replyCounter()
  for await (const batch of batches(list.stream(), BATCH)) {
    batch.forEach(counter.see)
    await turn()
  }
  return counter.counts()
}

/** The same, shown one after the other. */
export function replyCounter() {
  const counts = new Map<string, number>()
  let [people, answered, others] = [0, 0, 0]
  return {
    see({ standing, extra }: Pick<ListedSubscriber, 'standing' | 'extra'>) {
      if (!mayBeWrittenTo(standing)) return
      people += 1
      const answer = replyIn(extra)
      if (answer === undefined) return
      answered += 1
      const known = counts.get(answer)
      if (known === undefined && counts.size === MOST_REPLIES) others += 1
      else counts.set(answer, (known ?? 0) + 1)
    },
    counts(): ReplyCounts {
      const answers = [...counts]
        .map(([answer, people]) => ({ answer, people }))
        .sort((a, b) => b.people - a.people || (a.answer < b.answer ? -1 : 1))
      return { people, answered, answers, others }
    },
  }
}
