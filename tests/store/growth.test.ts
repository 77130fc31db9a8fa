import { describe, expect, it } from 'vitest'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { restorePeople } from '../fixtures/restored.ts'

const opened = async () => {
  const store = await emptySqlite()
  return store
}
const email = (who: string) => `${who}@example.com`
const long = new Date(0)

describe('the growth that the store tells', () => {
  it('counts everybody once, in the quarter of an hour of their sign-up', async () => {
    const store = await opened()
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute, 59))
    const signedUp = (who: string, minute: number) => ({ email: email(who), at: at(minute) })
    await restorePeople(store, [signedUp('ada', 15), signedUp('bob', 14), signedUp('cleo', 29)])
    // The same again, one of them with an earlier time.
    await restorePeople(store, [signedUp('ada', 15), signedUp('cleo', 1)])
    const { quarters } = await store.growth.since(long)
    expect(quarters).toEqual([
      { at: Date.UTC(2026, 0, 5, 9, 0), number: 2 },
      { at: Date.UTC(2026, 0, 5, 9, 15), number: 1 },
    ])
    const later = await store.growth.since(new Date(Date.UTC(2026, 0, 5, 9, 15)))
    expect(later.quarters).toHaveLength(1)
  })

  it('tells who signed up last, the newest first, with their standing', async () => {
    const store = await opened()
    const day = (date: number) => new Date(Date.UTC(2026, 0, date))
    await store.list.importAll([
      { email: email('first'), subscribedAt: day(1) },
      { email: email('second'), subscribedAt: day(2) },
      { email: email('third'), subscribedAt: day(3) },
    ])
    await store.standings.set([{ email: email('second'), standing: 'bounced' }])
    const newest = await store.list.newest(2)
    expect(newest).toEqual([
      { email: email('third'), subscribedAt: day(3), standing: 'subscribed' },
      {
        email: email('second'),
        subscribedAt: day(2),
        standing: 'bounced',
        standingAt: expect.any(Date),
      },
    ])
  })
})
