/** @module-tag thorough */
import { describe, expect, it } from 'vitest'
import { launchPad } from '../fixtures/launch-pad.ts'
import { startReceiver } from '../fixtures/receiver.ts'
import { HOUR, MINUTE, pass, teller, virtualClock } from './stage.ts'

const SUBSCRIBERS = 60

/** A real command in the middle of an announcement, and a server that tells of it. */
async function inTheMiddle(...args: string[]) {
  const pad = await launchPad(SUBSCRIBERS)
  const [clock, receiver] = [virtualClock(), await startReceiver()]
  const telling = teller({ store: pad.store, clock, urls: [receiver.url] })
  await telling.begin()
  await telling.round()
  const before = receiver.told().length
  const program = pad.startAnnounce(args)
  const told = async (ms: number) => {
    await pass(clock, ms, telling, 5 * MINUTE)
    return receiver.told().slice(before)
  }
  return { ...pad, program, told }
}

const slowly = ['--rate', '20']

describe('an announcement whose process is gone', () => {
  it('is told of once, for a run that was killed, and again when it is done', async () => {
    const { program, relay, store, told, announce } = await inTheMiddle(...slowly)
    await expect.poll(() => relay.read.length, { timeout: 20_000 }).toBeGreaterThan(5)
    await program.end('SIGKILL')
    const dead = await store.lock.holder()
    // Its lease may not be over, wherever a server has its clock.
    expect(await told(20 * MINUTE)).toEqual([])
    // The minute of the lease, in a moment.
    if (dead) await store.lock.acquire(dead, 1, dead.owner)
    const of = { alarm: 'announcement', announcement: 'launch' }
    const began = { type: 'alarm.began', data: { ...of, why: 'cut-off' } }
    expect(await told(6 * HOUR)).toMatchObject([began])
    expect((await announce()).code).not.toBe(1)
    expect(await told(HOUR)).toMatchObject([began, { type: 'alarm.ended', data: of }])
  })

  it('is not told of who pressed Ctrl-C, or has ended a stage, but of what ended it from outside', {
    tags: 'long',
  }, async () => {
    const { program, relay, told, startAnnounce, announce } = await inTheMiddle(...slowly)
    await expect.poll(() => relay.read.length, { timeout: 20_000 }).toBeGreaterThan(5)
    await program.end('SIGINT')
    expect(await told(3 * HOUR)).toEqual([])
    expect((await announce('--first', '20')).stdout).toContain('The balance holds')
    expect(await told(3 * HOUR)).toEqual([])
    const [before, other] = [relay.read.length, startAnnounce(slowly)]
    await expect.poll(() => relay.read.length, { timeout: 20_000 }).toBeGreaterThan(before + 3)
    await other.end('SIGTERM')
    const began = { type: 'alarm.began', data: { why: 'ended' } }
    expect(await told(3 * HOUR)).toMatchObject([began])
    // Whoever goes on is reminded of nothing.
    expect((await announce('--first', '50')).stdout).toContain('The balance holds')
    expect(await told(30 * HOUR)).toMatchObject([began, { type: 'alarm.ended' }])
  })
})
