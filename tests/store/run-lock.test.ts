import { describe, expect, it } from 'vitest'
import { type LockHolder, LockLost } from '../../src/store/run.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'

const HOUR = 3_600_000

describe('the store, as the run lock', () => {
  eachHasStore()

  const holder = (owner: string): LockHolder => ({ owner, host: 'here', pid: 7 })

  it('is held by one at a time, and says by whom', async () => {
    expect(await store.lock.acquire(holder('first'), HOUR)).toEqual(holder('first'))
    expect(await store.lock.acquire(holder('second'), HOUR)).toEqual(holder('first'))
  })

  it('is given to one of many who take it from the same dead run at once', async () => {
    await store.lock.acquire(holder('dead'), HOUR)
    const owners = Array.from({ length: 10 }, (_, i) => `owner${i}`)
    const answers = await Promise.all(
      owners.map((owner) => store.lock.acquire(holder(owner), HOUR, 'dead')),
    )
    expect(new Set(answers.map(({ owner }) => owner)).size).toBe(1)
  })

  it('says who holds it, and changes nothing by being asked', async () => {
    expect(await store.lock.holder()).toBeUndefined()
    await store.lock.acquire(holder('first'), HOUR)
    expect(await store.lock.holder()).toEqual(holder('first'))
    await store.lock.release('first')
    expect(await store.lock.holder()).toBeUndefined()
    await store.lock.acquire(holder('second'), 1)
    await expect.poll(() => store.lock.holder()).toBeUndefined()
  })

  it('is free again when it was released, and only its holder can do that', async () => {
    await store.lock.acquire(holder('first'), HOUR)
    await store.lock.release('second')
    expect(await store.lock.acquire(holder('second'), HOUR)).toEqual(holder('first'))
    await store.lock.release('first')
    expect(await store.lock.acquire(holder('second'), HOUR)).toEqual(holder('second'))
  })

  it('is free again when its lease has run out, and then lost to whoever had it', async () => {
    await store.lock.acquire(holder('first'), 1)
    await expect.poll(() => store.lock.acquire(holder('second'), HOUR)).toEqual(holder('second'))
    await expect(store.lock.renew('first', HOUR)).rejects.toThrow(LockLost)
  })

  it('is abandoned when its lease ran out long enough ago and nobody let go of it', async () => {
    const [soon, long] = [new Date(Date.now() + HOUR), new Date(Date.now() - HOUR)]
    expect(await store.lock.abandoned(soon)).toBeUndefined()
    await store.lock.acquire(holder('first'), HOUR)
    expect(await store.lock.abandoned(new Date(Date.now() + 2 * HOUR))).toBeUndefined()
    await store.lock.release('first')
    await store.lock.acquire({ ...holder('dead'), announcement: 'launch' }, 1)
    await expect.poll(() => store.lock.abandoned(soon)).toBe('launch')
    expect(await store.lock.abandoned(long)).toBeUndefined()
    await store.lock.acquire(holder('next'), HOUR)
    expect(await store.lock.abandoned(soon)).toBeUndefined()
    await store.lock.release('next')
    expect(await store.lock.abandoned(soon)).toBeUndefined()
  })

  it('is free again where its lease is from before the clock was set back, unless its holder lives', async () => {
    const ahead = { ...holder('first'), announcement: 'launch' }
    await store.lock.acquire(ahead, 24 * HOUR)
    expect(await store.lock.holder()).toBeUndefined()
    expect(await store.lock.run('launch')).toMatchObject({ isHeld: false })
    expect(await store.lock.abandoned(new Date(0))).toBe('launch')
    await store.lock.renew('first', HOUR / 2)
    expect(await store.lock.abandoned(new Date())).toBeUndefined()
    expect(await store.lock.holder()).toEqual(ahead)
    await store.lock.renew('first', 24 * HOUR)
    expect(await store.lock.acquire(holder('second'), HOUR / 2)).toEqual(holder('second'))
    await expect(store.lock.renew('first', HOUR)).rejects.toThrow(LockLost)
  })

  it('stays held when it is renewed', async () => {
    await store.lock.acquire(holder('first'), HOUR)
    await store.lock.renew('first', HOUR)
    expect(await store.lock.acquire(holder('second'), HOUR)).toEqual(holder('first'))
  })

  it('can be taken from a holder that is named, and from no other', async () => {
    await store.lock.acquire(holder('dead'), HOUR)
    expect(await store.lock.acquire(holder('next'), HOUR, 'somebody')).toEqual(holder('dead'))
    expect(await store.lock.acquire(holder('next'), HOUR, 'dead')).toEqual(holder('next'))
    const renewed = store.lock.renew('dead', HOUR)
    await expect(renewed).rejects.toThrow(LockLost)
    await expect(renewed).rejects.toThrow('Another run has the lock.')
  })

  it('keeps the last run of each announcement, with what it noted, for the next one', async () => {
    const of = (owner: string, announcement: string) => ({ ...holder(owner), announcement })
    expect(await store.lock.run('launch')).toBeUndefined()
    await store.lock.acquire({ ...of('first', 'launch'), notes: { next: 'check' } }, HOUR)
    await store.lock.renew('first', HOUR, { rate: '2000/h', next: 'send' })
    expect(await store.lock.run('launch')).toMatchObject({
      ...of('first', 'launch'),
      ...{ number: 1, isHeld: true, notes: { rate: '2000/h', next: 'send' } },
    })
    const end = { why: 'done', answer: '' }
    await store.lock.release('first', { rate: '2000/h', end })
    await store.lock.acquire(of('other', 'second'), HOUR)
    // What is over changes nothing any more.
    await store.lock.release('first', { end: { why: 'x', answer: '' } })
    const ended = { isHeld: false, notes: { rate: '2000/h', end } }
    expect(await store.lock.run('launch')).toMatchObject(ended)
    await store.lock.acquire(of('next', 'launch'), HOUR, 'other')
    const next = await store.lock.run('launch')
    expect(next).toMatchObject({ owner: 'next', number: 2, notes: { rate: '2000/h' } })
    expect(next?.notes.end).toBeUndefined()
    expect(await store.lock.run('second')).toMatchObject({ owner: 'other', isHeld: false })
  })

  it('begins a run of a number once, whoever asks for it at the same time or later', async () => {
    const of = (owner: string) => ({ ...holder(owner), announcement: 'launch', number: 1 })
    const owners = Array.from({ length: 10 }, (_, i) => `owner${i}`)
    await Promise.all(owners.map((owner) => store.lock.acquire(of(owner), HOUR)))
    const first = await store.lock.run('launch')
    await store.lock.release(String(first?.owner))
    expect(await store.lock.acquire(of('later'), HOUR)).toMatchObject({ owner: first?.owner })
    expect(await store.lock.holder()).toBeUndefined()
    expect(await store.lock.acquire({ ...of('next'), number: 2 }, HOUR)).toMatchObject({
      owner: 'next',
    })
  })
})
