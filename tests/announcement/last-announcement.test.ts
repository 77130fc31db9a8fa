import { expect, it } from 'vitest'
import { lastAnnouncement } from '../../src/announcement/last-announcement.ts'
import type { Store } from '../../src/store/store.ts'

const storeOf = (...ids: string[]) =>
  ({
    ledger: {
      announcements: async () => ids.map((id) => ({ id })),
    },
    lock: { run: async (id: string) => ({ announcement: id }) },
  }) as unknown as Store

it('the last announcement is the newest, with its last run', async () => {
  expect(await lastAnnouncement(storeOf('second', 'first'))).toEqual({
    id: 'second',
    run: { announcement: 'second' },
  })
  expect(await lastAnnouncement(storeOf())).toBeUndefined()
})
