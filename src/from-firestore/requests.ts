import type { Shown } from '../people/pending.ts'
import { lateArrival, requestArrival } from '../store/arrival.ts'
import { compareTimes, signUpIn } from '../store/inbox-rules.ts'
import { claimed } from './claim.ts'
import type { Taking } from './collect-options.ts'

/** Takes in requests to confirm. @throws InboxTaken where there are some, and another list takes in. */
export async function takeInRequests(
  taking: Taking,
  shown: Shown,
  keptSince: Date,
): Promise<boolean> {
  const { inbox, collecting, requestSigns } = taking
  const { documents, isMore, readAt } = await inbox.requests()
  if (documents.length === 0) return false
  await claimed(taking)
  const wanted = documents
    .flatMap((one) => signUpIn(one, readAt) ?? [])
    .filter(({ at }) => at >= keptSince)
    .sort((one, other) => compareTimes(one.fine, other.fine))
  await collecting.appendRequests(wanted, (one) =>
    lateArrival(requestArrival(one.email, { shown, ...requestSigns(one) }), one.at),
  )
  const ids = documents.map(({ id }) => id)
  await inbox.emptyRequests(ids)
  await collecting.forgetDocuments('confirmationRequests', ids)
  return isMore
}
