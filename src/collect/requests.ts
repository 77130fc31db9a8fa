import type { Shown } from '../people/pending.ts'
import { lateArrival, requestArrival } from '../store/arrival.ts'
import type { FoundSignUp } from '../store/inbox.ts'
import { compareTimes, signUpIn } from '../store/inbox-rules.ts'
import type { Taking } from './taking.ts'

/** Takes in requests to confirm. @param check refuses where another list takes in. */
export async function takeInRequests(
  { inbox, collecting, requestSigns }: Taking,
  check: () => Promise<void>,
  shown: Shown,
  keptSince: Date,
): Promise<boolean> {
  const { documents, isMore, readAt } = await inbox.requests()
  if (documents.length === 0) return false
  await check()
  const wanted = lastOfEach(documents.flatMap((one) => signUpIn(one, readAt) ?? []))
  await collecting.appendOnce(
    'confirmationRequests',
    wanted.filter(({ at }) => at >= keptSince),
    (one) => lateArrival(requestArrival(one.email, { shown, ...requestSigns(one) }), one.at),
  )
  const ids = documents.map(({ id }) => id)
  await inbox.emptyRequests(ids)
  await collecting.forgetDocuments('confirmationRequests', ids)
  return isMore
}

/** The last request of each address, in the order of their times. */
function lastOfEach(found: readonly FoundSignUp[]): FoundSignUp[] {
  const newestFirst = found.toSorted((one, other) => compareTimes(other.fine, one.fine))
  const seen = new Set<string>()
  const last = newestFirst.filter(({ email }) => !seen.has(email) && seen.add(email))
  return last.reverse()
}
