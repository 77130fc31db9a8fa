import {
  type Announcement,
  ASK,
  type DeliveryLedger,
  type Tally,
} from '../store/delivery-ledger.ts'

export type Progress = Announcement & { readonly tally: Tally }

/** The last announcement with its tally; the question of `ask` does not count as one. */
export async function lastAnnouncement(ledger: DeliveryLedger): Promise<Progress | undefined> {
  const last = (await ledger.announcements()).find(({ id }) => id !== ASK)
  return last && { ...last, tally: await ledger.tally(last.id) }
}
