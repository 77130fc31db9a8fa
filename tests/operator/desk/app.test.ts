import { describe, expect, it } from 'vitest'
import { openDesk } from '../../fixtures/desk.ts'

describe('the desk', () => {
  it('says how many subscribers there are', async () => {
    const { get, store } = await openDesk()
    await store.add('visitor@example.com')
    expect((await get('/desk')).page).toEqual({ page: 'today', subscribers: 1 })
  })
})
