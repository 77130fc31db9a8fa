import { describe, expect, it } from 'vitest'
import { eachHasStore, store } from '../fixtures/each-store.ts'

describe('the store, as the keeper of the keys of codes', () => {
  eachHasStore()

  const day = (number: number) => new Date(Date.UTC(2027, 0, number, 9, 30))
  const [first, second] = ['A'.repeat(43), 'B'.repeat(43)]

  it('gives back the newest first, each until its last code is over', async () => {
    expect(await store.codeKeys.keys()).toEqual([])
    await store.codeKeys.keep(first, day(9))
    await store.codeKeys.keep(second, day(2))
    expect(await store.codeKeys.keys()).toEqual([
      { publicKey: second, until: day(2) },
      { publicKey: first, until: day(9) },
    ])
  })

  it('lets a known key end later, and never earlier', async () => {
    await store.codeKeys.keep(first, day(9))
    await store.codeKeys.keep(first, day(5))
    expect(await store.codeKeys.keys()).toMatchObject([{ until: day(9) }])
    await store.codeKeys.keep(first, day(20))
    expect(await store.codeKeys.keys()).toMatchObject([{ until: day(20) }])
  })
})
