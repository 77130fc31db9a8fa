import { describe, expect, it } from 'vitest'
import { replyIn } from '../../src/shared/reply.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { keepAnnouncement } from '../fixtures/keep-announcement.ts'
import { ids } from '../fixtures/keys.ts'
import { receipt } from '../fixtures/receipt.ts'

describe('replies, in the store', () => {
  async function opened() {
    const store = await emptySqlite()
    const extraOf = async (email: string) => {
      for await (const one of store.list.stream({ standing: 'all' }))
        if (one.email === email) return one.extra
      return undefined
    }
    const answerOf = async (email: string) => replyIn(await extraOf(email))
    return { store, extraOf, answerOf }
  }

  it('are kept of people on the list alone, the last of each, until they are forgotten', async () => {
    const { store, answerOf } = await opened()
    await store.list.add('ada@example.com')
    await store.replies.keep('ada@example.com', 'Köln')
    await store.replies.keep('ada@example.com', 'Bonn')
    expect(await answerOf('ada@example.com')).toBe('Bonn')
    const id = ids.of('ada@example.com')
    const found = await store.requests.changePending(id, (result) => ({ result }))
    expect(found.answer).toBe('Bonn')

    await store.replies.keep('bob@example.com', 'Bonn')
    await store.list.add('bob@example.com')
    expect(await answerOf('bob@example.com')).toBeUndefined()

    await store.standings.forget('ada@example.com')
    await store.replies.keep('ada@example.com', 'Köln')
    await store.list.add('ada@example.com')
    expect(await answerOf('ada@example.com')).toBeUndefined()
  })

  it('are kept by their address id of those alone who confirmed, or are on the list and got a letter', async () => {
    const { store, answerOf } = await opened()
    const subscribedAt = new Date('2026-01-01')
    const consent = receipt(subscribedAt)
    await store.list.importAll([
      { email: 'ada@example.com', subscribedAt, extra: { consent } },
      { email: 'bob@example.com', subscribedAt },
    ])
    for (const email of ['ada@example.com', 'bob@example.com', 'eve@example.com'])
      await store.replies.keepFromLetter(ids.of(email), 'Bonn')
    expect(await answerOf('ada@example.com')).toBe('Bonn')
    expect(await answerOf('bob@example.com')).toBeUndefined()
    await store.list.add('eve@example.com')
    expect(await answerOf('eve@example.com')).toBeUndefined()

    const rows = [{ email: 'bob@example.com', at: subscribedAt }]
    await keepAnnouncement(store, 'question', subscribedAt, rows)
    for (const email of ['bob@example.com', 'eve@example.com'])
      await store.replies.keepFromLetter(ids.of(email), 'Bonn')
    expect(await answerOf('bob@example.com')).toBe('Bonn')
    expect(await answerOf('eve@example.com')).toBeUndefined()
    await store.standings.forget('bob@example.com')
    await store.replies.keepFromLetter(ids.of('bob@example.com'), 'Bonn')
    await store.list.add('bob@example.com')
    expect(await answerOf('bob@example.com')).toBeUndefined()
  })

  it('stand beside what else is known of somebody, and leave it as it is', async () => {
    const { store, extraOf } = await opened()
    const subscribedAt = new Date('2026-01-01')
    const extra = { firstName: 'Ada', plan: 'pro' }
    await store.list.importAll([{ email: 'ada@example.com', subscribedAt, extra }])
    await store.replies.keep('ada@example.com', 'Bonn')
    const repliedAt = expect.any(String)
    expect(await extraOf('ada@example.com')).toEqual({ ...extra, answer: 'Bonn', repliedAt })
  })

  it('are dropped rather than anything else, where there is no room for one', async () => {
    const { store, extraOf } = await opened()
    const subscribedAt = new Date('2026-01-01')
    const extra = { note: 'x'.repeat(9950) }
    await store.list.importAll([{ email: 'ada@example.com', subscribedAt, extra }])
    await store.replies.keep('ada@example.com', 'y'.repeat(200))
    expect(await extraOf('ada@example.com')).toEqual(extra)
  })
})
