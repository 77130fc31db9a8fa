/** @module-tag thorough */
import { describe, expect, it } from 'vitest'
import { EndedFromOutside } from '../../src/shared/ended-from-outside.ts'
import { ids } from '../fixtures/keys.ts'
import { quiet, setStage } from '../fixtures/stage.ts'
import { people, person } from '../store/contracts/people.ts'

const perHour = (letters: number) => ({ letters, ms: 3_600_000 })
const known = { isOpen: false }

/** A stage on which a run can be stopped after some letters. */
async function pacedStage(count: number) {
  const stage = await setStage(count)
  const kept = async () => (await stage.store.lock.run('launch'))?.notes
  const stoppedAfter = (letters: number, reason?: unknown) => {
    const stop = new AbortController()
    let sent = 0
    return {
      signal: stop.signal,
      on: {
        ...quiet,
        result: () => {
          sent += 1
          if (sent === letters) stop.abort(reason)
        },
      },
    }
  }
  return { ...stage, kept, stoppedAfter }
}

describe('an announcement at a rate of an hour', () => {
  it('sends what is due and ends, and a second run at once sends nothing more', async () => {
    const { run, inboxes, kept } = await pacedStage(9)
    const first = await run({ rate: perHour(4), untilNow: true })
    expect([first.why, inboxes().length]).toEqual(['done', 1])
    await run({ rate: perHour(4), untilNow: true })
    expect(inboxes()).toHaveLength(1)
    expect(await kept()).toMatchObject({ rate: '4/h', end: { why: 'done' } })
  })
})

describe('an announcement that stops by itself', () => {
  it('stops when two of few have left, says so, and goes on with --go-on, which counts anew', async () => {
    const { run, store, inboxes, kept } = await pacedStage(9)
    await run({ first: () => 3 })
    await store.standings.unsubscribe(ids.of(person(1).email))
    await run({ first: () => 4 })
    expect(inboxes()).toHaveLength(4)
    await store.standings.unsubscribe(ids.of(person(2).email))
    const stopped = await run()
    expect([stopped.why, inboxes().length, stopped.balance.holds]).toEqual(['leaving', 4, true])
    expect(await kept()).toMatchObject({ end: { why: 'leaving' } })
    expect((await run()).why).toBe('leaving')
    expect((await run({ goOn: true, first: () => 5 })).why).toBe('done')
    expect((await kept())?.countedFrom).toBeInstanceOf(Date)
    // What was counted before stays forgiven.
    expect((await run()).why).toBe('done')
    expect(inboxes().toSorted()).toEqual(
      people(9)
        .map(({ email }) => email)
        .toSorted(),
    )
  })

  it('keeps as seen that the page was open, whatever stops it', async () => {
    const { run, kept, stoppedAfter } = await pacedStage(4)
    const stop = stoppedAfter(1, new EndedFromOutside('SIGTERM'))
    await run({ ...stop, rate: { letters: 20, ms: 1000 }, ready: { ...known, isOpen: true } })
    expect(await kept()).toMatchObject({ rate: '20', sawOpen: true, end: { why: 'ended' } })
    await run({ ready: known })
    expect(await kept()).toMatchObject({ sawOpen: true })
  })
})
