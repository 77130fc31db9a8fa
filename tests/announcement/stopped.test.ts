import { describe, expect, it } from 'vitest'
import { isInterrupted } from '../../src/announcement/run/dead-run.ts'
import { EndedFromOutside } from '../../src/shared/ended-from-outside.ts'
import { LockLost } from '../../src/store/run.ts'
import { setStage } from '../fixtures/stage.ts'
import { PLACE, toldAt } from '../fixtures/told.ts'

async function stage(count: number, behaviour?: Parameters<typeof setStage>[1]) {
  const found = await setStage(count, behaviour)
  await found.store.notices.open([PLACE], new Date())
  const told = async () => {
    const waiting = await toldAt(found.store)
    return waiting?.map(({ type, data }) => ({ type, data })) ?? []
  }
  return { ...found, told }
}

describe('whoever does not sit before the terminal', () => {
  it('is told once that an announcement stopped by itself, and that it is done', {
    tags: 'thorough',
  }, async () => {
    let isAway = true
    const { run, told } = await stage(40, () => (isAway ? 'drop-at-recipient' : 'accept'))
    expect((await run()).why).toBe('unreachable')
    expect((await run()).why).toBe('unreachable')
    const began = {
      type: 'alarm.began',
      data: expect.objectContaining({
        alarm: 'announcement',
        announcement: 'launch',
        why: 'unreachable',
      }),
    }
    expect(await told()).toEqual([began])
    expect(JSON.stringify(await told())).not.toContain('@example.com')
    isAway = false
    expect((await run()).why).toBe('done')
    expect(await told()).toEqual([began, { type: 'alarm.ended', data: expect.anything() }])
  })

  it('is told of each announcement by itself', { tags: 'thorough' }, async () => {
    let isAway = true
    const { run, told } = await stage(20, () => (isAway ? 'drop-at-recipient' : 'accept'))
    for (const id of ['launch', 'later']) expect((await run({ id })).why).toBe('unreachable')
    isAway = false
    expect((await run({ id: 'launch' })).why).toBe('done')
    const of = async () => (await told()).map(({ type, data }) => [type, data.announcement])
    expect(await of()).toEqual([
      ['alarm.began', 'launch'],
      ['alarm.began', 'later'],
    ])
    expect((await run({ id: 'later' })).why).toBe('done')
    expect((await of()).at(-1)).toEqual(['alarm.ended', 'later'])
  })

  it('is told nothing of one that goes well, or that the operator stopped', async () => {
    const { run, told, oneByOne } = await stage(20)
    const stopped = new AbortController()
    let sent = 0
    const mailer = oneByOne(async () => {
      sent += 1
      if (sent === 3) stopped.abort()
    })
    expect((await run({ mailer, signal: stopped.signal })).why).toBe('interrupted')
    expect((await run()).why).toBe('done')
    expect(await told()).toEqual([])
  })

  it('is told that an error ended it, or the machine', async () => {
    const { run, told, store } = await stage(20)
    const wrong = async () => {
      throw new Error('a fault in the letter')
    }
    await expect(run({ message: wrong })).rejects.toThrow('a fault')
    const ended = AbortSignal.abort(new EndedFromOutside())
    expect((await run({ signal: ended })).why).toBe('interrupted')
    expect((await told()).map(({ data }) => data.why)).toEqual(['fault', 'ended'])
    // Another run tells of itself.
    const holder = { owner: 'other', host: 'there', pid: 1 }
    const lost = async () => {
      await store.lock.acquire(holder, 60_000, (await store.lock.holder())?.owner)
      throw new LockLost()
    }
    await expect(run({ message: lost })).rejects.toMatchObject({ why: { code: 'overtaken' } })
    await store.lock.release('other')
    expect((await run()).why).toBe('done')
    expect((await told()).map(({ type }) => type)).toEqual([
      'alarm.began',
      'alarm.began',
      'alarm.ended',
    ])
  })

  it('finds a run interrupted whose lease ran out before all were told, as while the machine slept', async () => {
    const { run, store, told } = await stage(3)
    const slept = async () => {
      await store.lock.renew(String((await store.lock.holder())?.owner), -1)
      throw new LockLost()
    }
    await expect(run({ message: slept })).rejects.toMatchObject({ why: { code: 'overtaken' } })
    expect(isInterrupted(await store.lock.run('launch'))).toBe(true)
    expect((await told()).map(({ data }) => data.why)).toEqual(['fault'])
    expect((await run()).why).toBe('done')
  })
})
