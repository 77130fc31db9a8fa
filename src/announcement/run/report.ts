import type {
  Announcement,
  Counted,
  Delivery,
  DeliveryStatus,
  SuppressionCounts,
} from '../../store/delivery-ledger.ts'
import type { DeliveryLedger, Store } from '../../store/store.ts'
import { countNewcomers } from '../newcomers.ts'
import type { LeavingOut } from '../recipient-selection.ts'
import type { RunEnd } from '../tell-everyone.ts'

/** The result of a run, for programs and for every face. */
export interface RunReport extends Pick<RunEnd, 'why' | 'answer'> {
  readonly announcement: Omit<Announcement, keyof Counted>
  readonly eligible: number
  readonly rows: number
  readonly tally: RunEnd['balance']['tally']
  readonly holds: boolean
  readonly suppressed: SuppressionCounts
  /** How many signed up since it began, and would be told too. */
  readonly newcomers: number
}

/** @param leaving whom the run leaves out. @throws StoreUnavailable */
export async function reportOf(
  store: Store,
  { why, answer, announcement: ended, balance }: RunEnd,
  leaving: Pick<LeavingOut, 'alsoWhoGot' | 'leavesOut'>,
): Promise<RunReport> {
  const { tally: _, suppressed, ...announcement } = ended
  const newcomers = await countNewcomers(store, announcement, leaving)
  return { why, answer, announcement, ...balance, suppressed, newcomers }
}

/** Recipients who get the letter only by an action of the operator. @param also those of these, too. */
export async function* unsent(
  ledger: DeliveryLedger,
  id: string,
  also: readonly DeliveryStatus[] = [],
): AsyncIterable<Delivery> {
  for (const status of ['failed', 'uncertain', 'suppressed', 'forgotten', ...also] as const)
    yield* ledger.deliveries(id, status)
}
