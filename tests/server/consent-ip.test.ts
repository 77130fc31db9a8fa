import { expect, it } from 'vitest'
import { consentIn } from '../../src/people/pending.ts'
import type { Asked } from '../../src/people/request.ts'
import { openApp, postForm, signIn, subscribe } from '../fixtures/app.ts'
import { answer, letterTo, startConfirming } from '../fixtures/confirming.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'

const [ada, bob] = ['ada@example.com', 'bob@example.com']

const via = (address: string) => ({ 'x-forwarded-for': address })

/** Behind a proxy, with the networks that requests to confirm say they came from. */
async function asking() {
  const asked: (string | undefined)[] = []
  const store = await emptySqlite()
  const requestConfirmation = async (_: string, { network }: Asked) => void asked.push(network)
  const requests = { ...store.requests, requestConfirmation }
  const trustProxy = ['loopback']
  const { app } = await openApp({ store, suppressions: store.standings, requests, trustProxy })
  return { app, asked }
}

/** Ada signs up by script from one address, Bob by the form from another, both behind a proxy. */
async function confirmed(isIpKept: boolean, trustProxy: readonly string[]) {
  const store = await emptySqlite()
  const common = { store, suppressions: store.standings, requests: store.requests }
  const { app, logged } = await openApp({ ...common, isIpKept, trustProxy })
  const { relay } = await startConfirming(store.requests)
  await subscribe(app, { ...(await signIn(app)), ...via('203.0.113.7') }, ada)
  await postForm(app, { email: bob }, { 'sec-fetch-site': 'same-origin', ...via('2001:db8::7') })
  for (const email of [ada, bob])
    await answer(app, (await letterTo(relay, email)).path, { answer: 'yes' })
  const consents = []
  for await (const { extra } of store.list.stream()) consents.push(consentIn(extra))
  const pending = []
  for await (const one of store.requests.pending()) pending.push(one)
  return { consents, kept: JSON.stringify([consents, pending]), logged }
}

it('a receipt has no client address unless that is asked for', async () => {
  const { consents, kept } = await confirmed(false, ['loopback'])
  expect(consents).toHaveLength(2)
  expect(kept).not.toMatch(/127\.0\.0\.1|203\.0\.113\.7|2001:db8|From/)
})

it('a receipt has the client addresses that the proxy tells of, where that is asked for', async () => {
  const { consents } = await confirmed(true, ['loopback'])
  expect(consents).toMatchObject([
    { askedFrom: '203.0.113.7', confirmedFrom: '127.0.0.1' },
    { askedFrom: '2001:db8::7', confirmedFrom: '127.0.0.1' },
  ])
})

it('what is kept of a network tells one from another, and no address', async () => {
  const { app, asked } = await asking()
  for (const from of ['203.0.113.7', '203.0.113.8', '2001:db8:1::7', '2001:db8:1:9::8'])
    await postForm(app, { email: ada }, { 'sec-fetch-site': 'same-origin', ...via(from) })
  const [one, other, prefix, same] = asked
  expect(new Set(asked).size).toBe(3)
  expect(same).toBe(prefix)
  for (const network of [one, other]) expect(network).toMatch(/^[\w-]{22}$/)
})

it('a receipt believes nobody but the proxy', async () => {
  const { consents } = await confirmed(true, [])
  expect(consents).toMatchObject([{ askedFrom: '127.0.0.1' }, { askedFrom: '127.0.0.1' }])
})
