import { askedBy } from '../../shared/asked-by-letter.ts'
import { silentBefore } from '../../shared/heard-nothing.ts'
import type { Delivery, DeliveryLedger, SuppressionCounts } from '../../store/delivery-ledger.ts'
import type { Store } from '../../store/store.ts'
import type { SubscriberList, TimeRange } from '../../store/subscriber-list.ts'
import type { LeavingOut } from '../recipient-selection.ts'
import type { RunEnd } from './run-to-end.ts'

/** The result of a run, for programs and for every face. */
export interface RunReport extends Pick<RunEnd, 'why' | 'answer' | 'announcement'> {
  readonly eligible: number
  readonly rows: number
  readonly tally: RunEnd['balance']['tally']
  readonly holds: boolean
  readonly suppressed: SuppressionCounts
  /** How many signed up since it began. */
  readonly newcomers: number
}

/** @throws StoreUnavailable */
export async function reportOf(
  store: Store,
  { why, answer, announcement: begun, balance }: RunEnd,
  leavesOut?: LeavingOut['leavesOut'],
): Promise<RunReport> {
  // Its wave has ended since.
  const announcement = (await store.ledger.findAnnouncement(begun.id)) ?? begun
  const suppressed = await store.ledger.suppressedAs(announcement.id)
  // Who signed up lately need not be asked whether they are still interested.
  const until = askedBy(announcement.id) === 'still-interested' && silentBefore(new Date())
  const range = { since: announcement.cutOff, ...(until && { until }) }
  const newcomers = await countNewcomers(store.list, range, leavesOut)
  return { why, answer, announcement, ...balance, suppressed, newcomers }
}

async function countNewcomers(
  list: SubscriberList,
  range: TimeRange,
  leavesOut: LeavingOut['leavesOut'],
) {
  if (!leavesOut) return list.countIn(range)
  let count = 0
  for await (const subscriber of list.stream(range)) if (!leavesOut(subscriber)) count += 1
  return count
}

/** Recipients who get the letter only by an action of the operator; with the queue, if wanted. */
export async function* unsent(
  ledger: DeliveryLedger,
  id: string,
  withQueue: boolean,
): AsyncIterable<Delivery> {
  for (const status of ['failed', 'uncertain', 'suppressed', 'forgotten'] as const)
    yield* ledger.deliveries(id, status)
  if (withQueue) yield* ledger.deliveries(id, 'queued')
}
