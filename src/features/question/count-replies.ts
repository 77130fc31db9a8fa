import { setImmediate as turn } from 'node:timers/promises'
import { REPLIED } from '../../people/known-fields.ts'
import { mayBeWrittenTo, type Standing } from '../../people/standing.ts'
import { replyIn } from '../../shared/reply.ts'
import type { Store } from '../../store/store.ts'
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

/** Texts of strangers: only so many different ones are kept in memory. */
const MOST_REPLIES = 10_000

/** Counts the replies of those who may be written to. Reads those alone who gave one. @throws StoreUnavailable */
export async function countReplies({
  growth,
  ledger,
}: Pick<Store, 'growth' | 'ledger'>): Promise<ReplyCounts> {
  const counter = replyCounter()
  for await (const page of ledger.everybody({ among: await ledger.under(REPLIED) })) {
    page.forEach(counter.see)
    await turn()
  }
  const counted = Object.entries((await growth.since(new Date())).standings)
  const people = counted.reduce(
    (sum, [standing, number]) => sum + (mayBeWrittenTo(standing as Standing) ? number : 0),
    0,
  )
  return { people, ...counter.counts() }
}

/** The same of people who are shown one after the other. */
export function replyCounter() {
  const counts = new Map<string, number>()
  let [answered, others] = [0, 0]
  return {
    see({ standing, extra }: Pick<ListedSubscriber, 'standing' | 'extra'>) {
      if (!mayBeWrittenTo(standing)) return
      const answer = replyIn(extra)
      if (answer === undefined) return
      answered += 1
      const known = counts.get(answer)
      if (known === undefined && counts.size === MOST_REPLIES) others += 1
      else counts.set(answer, (known ?? 0) + 1)
    },
    counts(): Omit<ReplyCounts, 'people'> {
      const answers = [...counts]
        .map(([answer, people]) => ({ answer, people }))
        .sort((a, b) => b.people - a.people || (a.answer < b.answer ? -1 : 1))
      return { answered, answers, others }
    },
  }
}
