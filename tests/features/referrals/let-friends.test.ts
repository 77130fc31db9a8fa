import { describe, expect, it } from 'vitest'
import { letFriends } from '../../../src/features/referrals/let-friends.ts'
import { ids } from '../../fixtures/keys.ts'
import { receipt } from '../../fixtures/receipt.ts'
import { restoreKnown } from '../../fixtures/restored.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const DAY_MS = 86_400_000
const email = (who: string) => `${who}@example.com`

describe('held friends', () => {
  const today = new Date()
  const day = (ago: number) => new Date(today.getTime() - ago * DAY_MS).toISOString().slice(0, 10)

  it('count by the day, of one link, and not before the day is over', async () => {
    const store = storeOnFile()
    const bring = async (owner: string, ago: number, number: number) => {
      const at = `${day(ago)}T00:00:01.000Z`
      const friends = Array.from({ length: number }, (_, i) => email(`${owner}-${ago}-${i}`))
      for (const one of [email(owner), ...friends]) await store.list.add(one)
      const of = (one: string, extra: object) => ({
        addressId: ids.of(one),
        extra: { consent: receipt(at), ...extra },
      })
      await restoreKnown(store, [
        of(email(owner), {}),
        ...friends.map((one) => of(one, { referral: { by: ids.of(email(owner)), at } })),
      ])
    }
    for (const [owner, ago, number] of [
      ['ada', 3, 11],
      ['ada', 2, 12],
      ['ada', 1, 2],
      ['ada', 0, 11],
      ['bob', 3, 11],
    ] as const)
      await bring(owner, ago, number)
    const lets = (who: string, on?: string) => letFriends(store, ids.of, email(who), on)
    expect(await lets('cleo')).toEqual({ days: [], friends: 0, isTodayHeld: false })
    expect(await lets('ada', day(1))).toEqual({ days: [], friends: 0, isTodayHeld: false })
    expect(await lets('ada', day(0))).toEqual({ days: [], friends: 0, isTodayHeld: true })
    expect(await lets('ada', day(3))).toEqual({ days: [day(3)], friends: 11, isTodayHeld: false })
    expect(await lets('ada')).toEqual({ days: [day(2)], friends: 12, isTodayHeld: true })
    expect(await lets('ada')).toEqual({ days: [], friends: 0, isTodayHeld: true })
    expect(await lets('bob')).toEqual({ days: [day(3)], friends: 11, isTodayHeld: false })
  })
})
