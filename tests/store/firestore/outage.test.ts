/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { credentialsReason, outageReason } from '../../../src/store/firestore/outage.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { openApp, signIn, subscribe } from '../../fixtures/app.ts'
import { openFirestore } from '../every-store.ts'

const ada = 'ada@example.com'
const grpcError = (code: number, message = 'quotes ada@example.com') =>
  Object.assign(new Error(message), { code })

it.for([1, 2, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 16])(
  "gRPC's code %i is an outage, in words that quote nothing",
  (code) => {
    expect(outageReason(grpcError(code))).toMatch(/^[a-zF ]+$/)
  },
)

it.for([0, 3, 6, 11, 17])("gRPC's code %i is a fault of ours", (code) => {
  expect(outageReason(grpcError(code))).toBeUndefined()
})

it('a transaction that took too long is an outage, whatever code Firestore has for it', () => {
  const expired = 'The referenced transaction has expired or is no longer valid.'
  expect(outageReason(grpcError(3, expired))).toBe('it took too long')
})

it('what has no code is a fault of ours, and what credentials say is told without an address', () => {
  for (const thrown of [new TypeError('ours'), new Error('ours'), 'ours'])
    expect(outageReason(thrown)).toBeUndefined()
  expect(credentialsReason(new Error('There are none. '))).toBe('There are none')
  expect(credentialsReason(new Error(`robot@project is unknown`))).not.toContain('@')
})

describe('the server on Firestore', () => {
  const emulator = withFirestoreEmulator()

  /** What a sign-up is answered, with the store's own words and the server's log. */
  async function signUpAt(origin: string, email: unknown = ada) {
    const said: string[] = []
    const log = (message: string) => void said.push(message)
    const store = openFirestore(origin, `demo-${randomUUID()}`, { log })
    onTestFinished(() => store.close())
    let thrown: unknown
    const add = async () => {
      thrown = await store.list.add(email as string).catch((error) => error)
      throw thrown
    }
    const { app, logged } = await openApp({ store: { ...store, list: { ...store.list, add } } })
    const { statusCode, body } = await subscribe(app, await signIn(app), ada)
    return { answer: `${statusCode} ${body}`, said, logged: logged(), thrown }
  }

  it('answers 500 to a fault of ours, with its stack in the log and without the address', async () => {
    // An object that the library cannot keep, and a text that Firestore does not take.
    class Address {
      readonly text = ada
    }
    for (const email of [new Address(), `${'a'.repeat(2_000_000)}@example.com`]) {
      const { answer, said, logged, thrown } = await signUpAt(emulator().origin, email)
      expect(answer).toBe('500 {"error":"internal"}')
      expect(thrown).not.toBeInstanceOf(StoreUnavailable)
      expect(said).toEqual([])
      const line = logged.split('\n').find((text) => text.includes('"level":50')) ?? '{}'
      expect(JSON.parse(line).err.stack).toMatch(/at .*firestore.*:\d+:\d+/)
      expect(logged).not.toMatch(/ada|@example/)
    }
  })

  it('answers 503 where nothing answers, with the reason in the log', async () => {
    const { answer, said, thrown, logged } = await signUpAt('http://127.0.0.1:1')
    expect(answer).toBe('503 {"error":"database-unavailable"}')
    expect(thrown).toBeInstanceOf(StoreUnavailable)
    expect(said).toEqual([expect.stringMatching(/^Firestore cannot be used: [a-z ]+/)])
    expect(logged).not.toContain('"level":50')
  })
})
