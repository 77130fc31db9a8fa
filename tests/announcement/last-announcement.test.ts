import { expect, it } from 'vitest'
import { lastAnnouncement } from '../../src/announcement/last-announcement.ts'
import { ASK, type DeliveryLedger } from '../../src/store/delivery-ledger.ts'

const ledgerOf = (...ids: string[]) =>
  ({
    announcements: async () => ids.map((id) => ({ id })),
    tally: async (id: string) => ({ of: id }),
  }) as unknown as DeliveryLedger

it('the last announcement is the newest but for the question to confirm', async () => {
  expect(await lastAnnouncement(ledgerOf(ASK, 'second', 'first'))).toEqual({
    id: 'second',
    tally: { of: 'second' },
  })
  expect(await lastAnnouncement(ledgerOf(ASK))).toBeUndefined()
})
