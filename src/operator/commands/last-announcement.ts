import {
  type Announcement,
  ASK,
  type DeliveryLedger,
  type Tally,
} from '../../store/delivery-ledger.ts'

export type Progress = Announcement & { readonly tally: Tally }

/** The last announcement with its tally; the question to those from before is none. */
export async function lastAnnouncement(store: DeliveryLedger): Promise<Progress | undefined> {
  const last = (await store.announcements()).find(({ id }) => id !== ASK)
  return last && { ...last, tally: await store.tally(last.id) }
}
