import { describe, expect, it } from 'vitest'
import { heardNothing } from '../../src/audience/heard-nothing.ts'
import { enlist } from '../fixtures/enlist.ts'
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
