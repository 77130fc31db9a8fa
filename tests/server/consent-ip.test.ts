import { expect, it, onTestFinished } from 'vitest'
import { consentIn } from '../../src/store/pending.ts'
import { openApp, postForm, signIn, subscribe } from '../fixtures/app.ts'
import { answer, letterTo, startConfirming } from '../fixtures/confirming.ts'
import { emptySqlite } from '../store/every-store.ts'

const [ada, bob] = ['ada@example.com', 'bob@example.com']

/** Ada signs up by script from one address, Bob by the form from another, both behind a proxy. */
async function confirmed(isIpKept: boolean, trustProxy: readonly string[]) {
  const store = await emptySqlite()
  onTestFinished(() => store.close())
  const common = { store, suppressions: store, outbox: store }
  const { app, logged } = await openApp({ ...common, isIpKept, trustProxy })
  const { relay } = await startConfirming(store)
  const via = (address: string) => ({ 'x-forwarded-for': address })
  await subscribe(app, { ...(await signIn(app)), ...via('203.0.113.7') }, ada)
  await postForm(app, { email: bob }, { 'sec-fetch-site': 'same-origin', ...via('2001:db8::7') })
  for (const email of [ada, bob])
    await answer(app, (await letterTo(relay, email)).path, { answer: 'yes' })
  const consents = []
  for await (const { extra } of store.stream()) consents.push(consentIn(extra))
  const pending = []
  for await (const one of store.pending()) pending.push(one)
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

it('a receipt believes nobody but the proxy', async () => {
  const { consents } = await confirmed(true, [])
  expect(consents).toMatchObject([{ askedFrom: '127.0.0.1' }, { askedFrom: '127.0.0.1' }])
})
