import { setImmediate as turn } from 'node:timers/promises'
import { mayBeWrittenTo } from '../people/standing.ts'
import { type HeardNothing, silentBefore } from '../shared/heard-nothing.ts'
import { type Recipient, wasSent } from '../store/delivery-ledger.ts'
import type { Store } from '../store/store.ts'

/**
 * Counts who may be written to, and has neither signed up nor got a letter for sixty days. Where no
 * letter was ever sent, it is known without reading the list; where one was lately, those who did not
 * get it are read. @throws StoreUnavailable
 */
export async function heardNothing(
  { ledger, growth }: Pick<Store, 'ledger' | 'growth'>,
  now: Date,
): Promise<HeardNothing> {
  const before = silentBefore(now)
  const announcements = await ledger.announcements()
  if (announcements.length === 0) {
    const { people, since } = await growth.before(before)
    return { people, since: since?.toISOString() ?? null }
  }
  const [largest] = announcements
    .filter(({ begunAt }) => begunAt >= before)
    .toSorted((a, b) => b.tally.sent - a.tally.sent)
  const among = largest && (await ledger.untold(largest))
  let [people, since] = [0, Number.POSITIVE_INFINITY]
  for (const range of among ? [{ among }, { after: largest.upTo }] : [{}])
    for await (const page of ledger.everybody(range)) {
      for (const one of page) {
        const at = lastHeard(one)
        if (!mayBeWrittenTo(one.standing) || at >= before.getTime()) continue
        people += 1
        since = Math.min(since, at)
      }
      await turn()
    }
  return { people, since: people > 0 ? new Date(since).toISOString() : null }
}

function lastHeard({ subscribedAt, signedUpAt = subscribedAt, letters }: Recipient): number {
  const sent = letters.filter(wasSent).map(({ changedAt }) => Date.parse(changedAt))
  return Math.max(subscribedAt.getTime(), signedUpAt.getTime(), ...sent)
}
