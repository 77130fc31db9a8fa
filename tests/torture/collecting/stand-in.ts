import type { firestoreInbox } from '../../../src/store/firestore/inbox.ts'
import type { FineTime, Place, ReadClaim } from '../../../src/store/inbox.ts'

/** The week in which they came, an hour ago at the latest. */
const [FROM_S, WEEK_S] = [Math.floor(Date.now() / 1000) - 7 * 86_400 - 3600, 7 * 86_400]
/** Has no factor in common with numbers of documents: so the order of times is none of addresses. */
const STEP = 7_654_321
const A_PAGE = 1000

const now = (): FineTime => ({ seconds: Math.floor(Date.now() / 1000), nanoseconds: 0 })

/**
 * Stands in for Firestore with so many documents that nobody keeps: each is made of its number when it
 * is asked for. The emulator passes over all documents for each page, so it has no answer for a million.
 */
export function standIn(all: number): ReturnType<typeof firestoreInbox> {
  let claim: ReadClaim | undefined
  function documentOf(n: number) {
    const email = `visitor${String(n).padStart(9, '0')}@example.com`
    const seconds = FROM_S + Math.floor((((n * STEP) % all) * WEEK_S) / all)
    return {
      id: email,
      fields: ['email', 'subscribedAt'],
      email,
      subscribedAt: { seconds, nanoseconds: 0 },
    }
  }
  async function documents(since: FineTime, after: Place | undefined) {
    const found = []
    let n = after ? Number(/\d+/.exec(after.email)) + 1 : 0
    for (; n < all && found.length < A_PAGE; n += 1) {
      const one = documentOf(n)
      if (one.subscribedAt.seconds >= since.seconds) found.push(one)
    }
    const { email, subscribedAt: at, id } = documentOf(n - 1)
    return { documents: found, next: n < all ? { email, at, id } : undefined, readAt: now() }
  }
  const inbox = {
    documents,
    count: async () => all,
    claim: async () => claim,
    async writeClaim(written: ReadClaim) {
      claim = { ...written, version: now() }
    },
    noes: async () => [],
    close: async () => {},
  }
  return inbox as unknown as ReturnType<typeof firestoreInbox>
}
