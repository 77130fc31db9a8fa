/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { noticesIn, startReceiver } from '../fixtures/receiver.ts'
import { openFirestore } from '../store/every-store.ts'
import { DAY, HOUR, MINUTE, pass, teller, virtualClock } from './stage.ts'

describe('on Firestore', () => {
  const emulator = withFirestoreEmulator()

  it('two servers tell of milestones and days, each once and in order', async () => {
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const project = `demo-${randomUUID()}`
    const both = [0, 1].map(() => {
      const store = openFirestore(emulator().origin, project, { appId: product.appId })
      onTestFinished(() => store.close())
      const day = { dayEndsAt: { hour: 9, minute: 0 }, zone: 'Europe/Berlin' }
      return { store, ...teller({ store, clock, urls: [receiver.url], ...day }) }
    })
    const round = () => Promise.all(both.map((one) => one.round()))
    for (const { begin } of both) await begin()
    for (let i = 0; i < 12; i++) await both[i % 2]?.store.list.add(`visitor${i}@example.com`)
    await pass(clock, 20 * MINUTE, { round }, 5 * MINUTE)
    await pass(clock, DAY, { round }, 6 * HOUR)
    const told = receiver.taken().flatMap(noticesIn)
    expect(told.map(({ data }) => data.number ?? data.signUps)).toEqual([1, 10, 12])
    expect(told.at(-1)).toMatchObject({ type: 'day.ended', data: { subscribers: 12 } })
  })

  it('a list that was there before is no news', async () => {
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const store = openFirestore(emulator().origin, `demo-${randomUUID()}`)
    onTestFinished(() => store.close())
    for (let i = 0; i < 11; i++) await store.list.add(`visitor${i}@example.com`)
    const telling = teller({ store, clock, urls: [receiver.url] })
    await telling.begin()
    await pass(clock, HOUR, telling, 10 * MINUTE)
    expect(receiver.requests).toEqual([])
  })
})
