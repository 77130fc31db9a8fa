import { expect, it } from 'vitest'
import { ACCOUNTS } from '../../../src/features/came/accounts.ts'
import { cameIn } from '../../../src/features/came/rules.ts'
import type { SubscriberList } from '../../../src/store/store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { openApp } from '../../fixtures/app.ts'
import { ids } from '../../fixtures/keys.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const key = 'k'.repeat(32)

async function productsServer(fails = false) {
  const noted: [string, Date | undefined][] = []
  const list = {
    find: async (email: string) => {
      if (fails) throw new StoreUnavailable('it is away')
      return { email }
    },
    addFields: async ([one]: Parameters<SubscriberList['addFields']>[0]) =>
      void noted.push([String(one?.addressId), cameIn(one?.fields)]),
  }
  const { app, logged } = await openApp({
    features: { came: true },
    ofFeatures: { ACCOUNTS_KEY: key },
    store: { ...storeOnFile(), list } as never,
  })
  const post = (payload: object, authorization: string | undefined = `Bearer ${key}`) =>
    app.inject({
      method: 'POST',
      url: ACCOUNTS,
      payload,
      headers: authorization === '' ? {} : { authorization },
    })
  return { post, noted, logged }
}

it('takes an account with the key, and answers each address alike', async () => {
  const { post, noted, logged } = await productsServer()
  const at = '2026-11-20T10:00:00+01:00'
  const first = await post({ email: ' Ada@Example.com', at })
  expect(first.statusCode).toBe(204)
  expect(first.body).toBe('')
  expect(noted).toEqual([[ids.of('ada@example.com'), new Date(at)]])
  const before = Date.now()
  await post({ email: 'bob@example.com' })
  await post({ email: 'eve@example.com', at: '2999-01-01T00:00:00Z' })
  for (const [, at] of noted.slice(1)) {
    expect(at?.getTime()).toBeGreaterThanOrEqual(before)
    expect(at?.getTime()).toBeLessThanOrEqual(Date.now())
  }
  expect(logged()).not.toMatch(/@|kkk/)
})

it('takes nothing without the key, and nothing that is no account', async () => {
  const { post, noted } = await productsServer()
  for (const authorization of ['', 'Bearer ', `Bearer ${key}x`, `Basic ${key}`, key])
    expect((await post({ email: 'ada@example.com' }, authorization)).statusCode).toBe(401)
  expect((await post({ email: 'nobody' })).statusCode).toBe(422)
  for (const wrong of [{}, { email: 5 }, { email: 'a@b.example', at: 'soon' }, ['a@b.example']])
    expect((await post(wrong)).statusCode).toBe(400)
  expect(noted).toEqual([])
})

it('says that it could not be kept, so that it is posted again', async () => {
  const { post } = await productsServer(true)
  expect((await post({ email: 'ada@example.com' })).statusCode).toBe(503)
})

it('has no such path where no key is set', async () => {
  const { app } = await openApp({ features: { came: true } })
  const headers = { authorization: 'Bearer ' }
  const payload = { email: 'ada@example.com' }
  const asked = { method: 'POST', url: ACCOUNTS, headers, payload } as const
  expect((await app.inject(asked)).statusCode).toBe(404)
})
