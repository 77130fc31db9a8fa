import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { letterTo, startConfirming } from '../fixtures/confirming.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { nothingHeld } from '../fixtures/held-letters.ts'
import { ids } from '../fixtures/keys.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const shown = { words: 'Notify Me', page: 'a1b2', language: 'en' }
const network = (n: number) => String(n).padStart(22, 'n')

async function open() {
  const store = await emptySqlite()
  const { relay } = await startConfirming(store.requests)
  const ask = (email: string, from: number, suspicion?: string) =>
    store.requests.requestConfirmation(email, {
      shown,
      isCrowd: false,
      suspicion,
      network: network(from),
    })
  /** Until so many were sent, so many are held, and none else waits. */
  async function settled(sent: number, held: number) {
    const state = async () => [
      relay.accepted.length,
      Object.values(await store.requests.heldLetters()).reduce((sum, number) => sum + number),
      (await store.requests.counts()).waiting,
    ]
    await expect.poll(state, { timeout: 10_000 }).toEqual([sent, held, held])
  }
  return { store, relay, ask, settled }
}

it('one network has ten letters sent at once that are not answered, to whatever domains', async () => {
  const { store, relay, ask, settled } = await open()
  for (let n = 0; n < 30; n++) await ask(`ada@domain${n}.example`, 1)
  await settled(10, 20)
  expect(await store.requests.heldLetters()).toEqual({ ...nothingHeld, network: 20 })
  await ask('bob@gmail.com', 2)
  await letterTo(relay, 'bob@gmail.com')
})

it('what was counted before a restart is counted after it', async () => {
  const options = { file: join(tempDir(), 'one.sqlite'), appId: 'test', addressIds: ids }
  const asked = { shown, isCrowd: false, network: network(1) }
  const before = sqliteStore({ ...options, log: () => {} })
  const { relay, close } = await startConfirming(before.requests)
  for (let n = 0; n < 12; n++)
    await before.requests.requestConfirmation(`ada@domain${n}.example`, asked)
  await expect.poll(before.requests.heldLetters, { timeout: 10_000 }).toMatchObject({ network: 2 })
  await expect.poll(() => relay.accepted).toHaveLength(10)
  await close()
  await before.close()

  const after = sqliteStore({ ...options, log: () => {} })
  onTestFinished(() => after.close())
  const next = await startConfirming(after.requests)
  await after.requests.requestConfirmation('ada@another.example', asked)
  await expect.poll(after.requests.heldLetters, { timeout: 10_000 }).toMatchObject({ network: 3 })
  expect(next.relay.accepted).toEqual([])
})
