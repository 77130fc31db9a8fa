import { describe, expect, it } from 'vitest'
import { heardNothing } from '../../src/audience/heard-nothing.ts'
import { noteCame } from '../../src/audience/note-came.ts'
import { whoCame } from '../../src/audience/who-came.ts'
import { enlist } from '../fixtures/enlist.ts'
import { ids } from '../fixtures/keys.ts'
import { restorePeople } from '../fixtures/restored.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'

const DAY_MS = 86_400_000
const email = (who: string | number) => `${who}@example.com`

function opened() {
  return storeOnFile()
}

describe('who has heard nothing', () => {
  it('is who signed up sixty days ago and got no letter since, and may be written to', async () => {
    const store = opened()
    const now = new Date()
    const at = (days: number) => new Date(now.getTime() - days * DAY_MS)
    expect(await heardNothing(store, now)).toEqual({ people: 0, since: null })
    await store.list.importAll([
      { email: email('long'), subscribedAt: at(90) },
      { email: email('longest'), subscribedAt: at(100) },
      { email: email('told'), subscribedAt: at(95) },
      { email: email('left'), subscribedAt: at(120) },
      { email: email('lately'), subscribedAt: at(59) },
    ])
    await restorePeople(store, [{ email: email('again'), importedAt: at(200), at: at(10) }])
    await store.standings.set([{ email: email('left'), standing: 'bounced' }])
    await store.lock.acquire({ owner: 'x', host: 'h', pid: 1 }, 60_000)
    await store.ledger.begin('x', 'launch', { subject: 'S', digest: 'd' })
    await enlist(store, 'x', 'launch', [{ email: email('told') }])
    const claimed = await store.ledger.claim('x', 'launch', { limit: 1, which: 'untried' })
    await store.ledger.record(
      'x',
      'launch',
      claimed.map((one) => ({ ...one, status: 'sent' as const, answer: '250 ok' })),
    )
    expect(await heardNothing(store, now)).toEqual({ people: 2, since: at(100).toISOString() })
  })
})

describe('who became a user', () => {
  it('is known of people on the list alone, and counted of those who were told', async () => {
    const store = opened()
    const now = Date.now()
    const people = ['ada', 'bob', 'cleo', 'dan'].map((who) => ({
      email: email(who),
      subscribedAt: new Date(2026, 9, 5, 12),
    }))
    await store.list.importAll(people)
    await store.answers.keep(email('ada'), 'Rye')
    await store.lock.acquire({ owner: 'x', host: 'h', pid: 1 }, 60_000)
    await store.ledger.begin('x', 'launch', { subject: 'S', digest: 'd' })
    await enlist(store, 'x', 'launch', people.slice(0, 3))
    const claimed = await store.ledger.claim('x', 'launch', { limit: 3, which: 'untried' })
    await store.ledger.record(
      'x',
      'launch',
      claimed.map((one) => ({ ...one, status: 'sent' as const, answer: '250 ok' })),
    )
    const minutes = (number: number) => new Date(now + number * 60_000)
    const noted = await noteCame(store, ids.of, [
      { email: email('ada'), at: minutes(10) },
      { email: email('nobody'), at: minutes(10) },
      { email: email('bob'), at: minutes(30) },
      // Before they were told, and without having been told.
      { email: email('cleo'), at: minutes(-60) },
      { email: email('dan'), at: minutes(5) },
    ])
    expect(noted).toEqual([true, false, true, true, true])
    const came = await whoCame(store)
    expect(came).toMatchObject({
      told: 3,
      came: 2,
      others: 2,
      letters: [{ name: 'launch', told: 3, came: 2 }],
      sources: [{ told: 3, came: 2 }],
      // By friends, whom nobody has, and by answers.
      groups: [
        [],
        [
          { told: 2, came: 1 },
          { name: 'Rye', told: 1, came: 1 },
        ],
      ],
      weeks: [{ name: '2026-10-05', told: 3, came: 2 }],
    })
    // Of two, the quicker one is in the middle.
    expect(Number(came.medianMs) / 60_000).toBeGreaterThan(9)
    expect(Number(came.medianMs) / 60_000).toBeLessThanOrEqual(10)
    expect((await whoCame(opened())).medianMs).toBeNull()
  })
})
