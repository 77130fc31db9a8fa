import type { AddressIds } from '../../keys/address-id.ts'
import {
  type Answers,
  countedTimes,
  domainIdOf,
  hasHiddenField,
  type LetterCounts,
  letterAtOf,
  RECENT_LETTERS,
} from '../brake.ts'
import type { ConfirmationRequest } from '../outbox.ts'
import type { Pending } from '../pending.ts'
import type { FirestoreConnection } from './connection.ts'
import { releasedIn } from './held-letters.ts'
import type { FirestorePaths } from './paths.ts'

/** Looking at the last letters costs a read for each, and their answers come slowly. */
const READ_RECENT_EVERY_MS = 600_000

/**
 * Counts letters by the documents of the addresses that had one. Firestore indexes each field by
 * itself, so one field holds what is counted, the answer and the time.
 */
export function letterCounts(
  { use }: FirestoreConnection,
  paths: FirestorePaths,
  addressIds: AddressIds,
) {
  const { pending: pendings } = paths
  let last: Promise<Answers | undefined> | undefined
  let recentUntil = 0

  async function answersOf(field: 'byNetwork' | 'byDomain', id: string | undefined, from: Date) {
    if (id === undefined) return undefined
    const number = async (isAnswered: boolean) => {
      const some = pendings
        .where(field, '>', countedBy(id, isAnswered, from))
        .where(field, '<', `${id} ${Number(isAnswered)} ~`)
      return (await use(() => some.count().get())).data().count
    }
    const [answered, unanswered] = await Promise.all([number(true), number(false)])
    return { answered, unanswered }
  }

  async function readRecent(now: Date): Promise<Answers | undefined> {
    const { from, settled } = countedTimes(now)
    const newest = pendings
      .where('letterAt', '>', from.toISOString())
      .where('letterAt', '<=', settled.toISOString())
      .orderBy('letterAt', 'desc')
      .limit(RECENT_LETTERS)
    const { count } = (await use(() => newest.count().get())).data()
    if (count < RECENT_LETTERS) return undefined
    recentUntil = now.getTime() + READ_RECENT_EVERY_MS
    const { docs } = await use(() => newest.select('isAnswered').get())
    const answered = docs.filter((one) => one.get('isAnswered') === true).length
    return { answered, unanswered: docs.length - answered }
  }

  function recentAnswers(now: Date): Promise<Answers | undefined> {
    if (!last || now.getTime() >= recentUntil) {
      last = readRecent(now)
      last.catch(() => {
        last = undefined
      })
    }
    return last
  }

  async function hiddenSince(until: Date | undefined): Promise<number> {
    const since = until?.toISOString() ?? ''
    const some = pendings.where('hiddenAskedAt', '>', since)
    return (await use(() => some.count().get())).data().count
  }

  return {
    /** The fields by which a document is counted. */
    fields(pending: Pending) {
      const letterAt = letterAtOf(pending)
      if (!letterAt) return {}
      const isAnswered = pending.confirmedAt !== undefined
      const network = pending.networks?.at(-1)
      const domain = domainIdOf(pending.email, addressIds)
      const isHidden = hasHiddenField(pending.suspicion) && !isAnswered
      return {
        letterAt: letterAt.toISOString(),
        isAnswered,
        ...(network && { byNetwork: countedBy(network, isAnswered, letterAt) }),
        ...(domain && { byDomain: countedBy(domain, isAnswered, letterAt) }),
        ...(isHidden && { hiddenAskedAt: pending.askedAt.toISOString() }),
      }
    },

    async of(request: ConfirmationRequest, now: Date): Promise<LetterCounts> {
      const { email, suspicion } = request
      const { from } = countedTimes(now)
      const releasing = releasedIn(use, paths)
      const [network, domain, recent, hidden, released] = await Promise.all([
        answersOf('byNetwork', request.network, from),
        answersOf('byDomain', domainIdOf(email, addressIds), from),
        recentAnswers(now),
        hasHiddenField(suspicion)
          ? releasing.then((until) => hiddenSince(until['hidden-field']))
          : 0,
        releasing,
      ])
      return { network, domain, recent, hidden, released }
    },
  }
}

const countedBy = (id: string, isAnswered: boolean, at: Date) =>
  `${id} ${Number(isAnswered)} ${at.toISOString()}`
