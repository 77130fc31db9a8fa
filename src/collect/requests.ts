import type { Shown } from '../people/pending.ts'
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
  const before = await collecting.knownRequests(documents.map(({ id }) => id))
  const fresh = documents.filter(({ id }) => !before.has(id))
  const wanted = lastOfEach(fresh.flatMap((one) => signUpIn(one, readAt) ?? []))
    .filter(({ at }) => at >= keptSince)
    .map((one) => ({ ...one, asked: { shown, ...requestSigns(one) } }))
  const isWanted = new Set(wanted.map(({ id }) => id))
  const ids = documents.map(({ id }) => id)
  await collecting.takeInRequests(
    wanted,
    ids.filter((id) => !isWanted.has(id)),
  )
  await inbox.emptyRequests(ids)
  await collecting.forgetRequests(ids)
  return isMore
}

/** The last request of each address, in the order of their times. */
function lastOfEach<T extends ReturnType<typeof signUpIn> & object>(found: readonly T[]): T[] {
  const newestFirst = found.toSorted((one, other) => compareTimes(other.fine, one.fine))
  const seen = new Set<string>()
  const last = newestFirst.filter(({ email }) => !seen.has(email) && seen.add(email))
  return last.reverse()
}
