/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { noteEnd } from '../../../src/announcement/note-end.ts'
import { holdLock } from '../../../src/announcement/sending/lock-lease.ts'
import { announce } from '../../../src/announcement/tell-everyone.ts'
import { runWaves } from '../../../src/announcement/waves/run-waves.ts'
import type { Clock } from '../../../src/announcement/waves/waiting.ts'
import { parseWaves } from '../../../src/announcement/waves/wave-plan.ts'
import { waveStage } from '../../../src/announcement/waves/wave-stage.ts'
import type { WavesOptions } from '../../../src/announcement/waves/waves-options.ts'
import { EndedFromOutside } from '../../../src/shared/ended-from-outside.ts'
import type { Store } from '../../../src/store/store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { ids } from '../../fixtures/keys.ts'
import type { Behaviour } from '../../fixtures/relay.ts'
import { quick, quiet, setStage } from '../../fixtures/stage.ts'
import { PLACE, toldAt } from '../../fixtures/told.ts'
import { people, person } from '../../store/contracts/people.ts'

const HOUR = 3_600_000
const emails = (count: number) => people(count).map(({ email }) => email)

/** Hours in which nobody waits: who pauses is at once where the pause ends. */
function virtualClock() {
  let elapsed = 0
  let offset = 0
  const clock: Clock = {
    now: () => new Date(Date.now() + elapsed + offset),
    elapsed: () => elapsed,
    pause: async (ms) => {
      elapsed += ms
    },
  }
  return {
    clock,
    /** Milliseconds that have passed, with what a test takes itself. */
    now: () => performance.now() + elapsed,
    /** Sets the clock on the wall, whatever time has passed. */
    set: (ms: number) => {
      offset += ms
    },
  }
}

/** Hours that pass in some milliseconds, for two at once. */
function slow(): Clock {
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) * 10_000
  return {
    now: () => new Date(Date.now() + elapsed()),
    elapsed,
    pause: (ms) => sleep(ms / 10_000),
  }
}

/** A stage with waves on it. */
async function wavesOn(count: number, behaviour?: (to: string) => Behaviour) {
  const stage = await setStage(count, behaviour)
  const time = virtualClock()
  const log: string[] = []

  /** As a process of its own would. */
  function run(
    waves: string,
    more: Partial<WavesOptions> = {},
    signal = new AbortController().signal,
  ) {
    const { store, mailer, message } = stage
    const holder = { owner: randomUUID(), host: 'here', pid: process.pid }
    const options: WavesOptions = {
      announcement: {
        store,
        mailer,
        message,
        rate: 1e6,
        stopShare: 0.05,
        retryPolicy: quick,
        signal,
        id: 'launch',
        letter: { subject: 'We are live', digest: 'one' },
        holder,
      },
      plan: parseWaves(waves) ?? { size: 0 },
      everyMs: 2 * HOUR,
      wait: true,
      goOn: false,
      changePlan: false,
      lookEveryMs: 30_000,
      stopShare: 0.05,
      stopLeaving: 0.003,
      clock: time.clock,
      ready: async () => ({ mostToGmail: undefined }),
      async hold() {
        const lock = await holdLock(store.lock, holder)
        return 'by' in lock ? undefined : lock
      },
      async run(options) {
        const end = await announce({ ...options, on: quiet })
        return end.why === 'locked' ? undefined : end
      },
      on: {
        sent: async (_, { number }, { told }) => void log.push(`${number}: ${told}`),
        waiting: (_, what) => void log.push(`waits for the ${what}`),
        left: () => {},
        away: (text) => void log.push(text),
      },
      ...more,
    }
    return runWaves(options)
  }
  return { ...stage, ...time, log, run }
}

/** Why the store says that they stopped. */
const stoppedIn = async ({ ledger }: Store) =>
  (await ledger.findAnnouncement('launch'))?.waves?.stopped

describe('an announcement in waves', () => {
  it('tells everybody once, each wave in its time, in order of sign-up', async () => {
    const { run, log, inboxes, now } = await wavesOn(40)
    const begun = now()
    const { why } = await run('10%,50%,100%')
    expect(why).toBe('done')
    const next = 'waits for the wave'
    expect(log).toEqual(['1: 4', next, '2: 16', next, '3: 20'])
    expect(now() - begun).toBeGreaterThanOrEqual(4 * HOUR - 1)
    expect(inboxes().slice(0, 4).toSorted()).toEqual(emails(4).toSorted())
    expect(inboxes().toSorted()).toEqual(emails(40).toSorted())
    await run('10%,50%,100%')
    expect(inboxes()).toHaveLength(40)
  })

  it('begins no other wave after one that does not balance', async () => {
    const { run, inboxes } = await wavesOn(10)
    const end = await run('5', {
      async run(options) {
        const end = await announce({ ...options, on: quiet })
        if (end.why !== 'done') throw new Error(end.why)
        return { ...end, balance: { ...end.balance, holds: false } }
      },
    })
    expect(end).toMatchObject({ why: 'ended', end: { why: 'done', balance: { holds: false } } })
    expect(inboxes()).toHaveLength(5)
  })

  it('says in the store why it stopped by itself, until it goes on', async () => {
    const { run, store, set, inboxes } = await wavesOn(20)
    await run('5', { wait: false })
    expect(await stoppedIn(store)).toBe(undefined)
    set(2 * HOUR)
    const unready = async () => undefined
    expect(await run('5', { wait: false, ready: unready })).toMatchObject({ why: 'notReady' })
    expect(await stoppedIn(store)).toBe('unready')
    // Another run goes on meanwhile.
    const another = { owner: 'another', host: 'here', pid: process.pid }
    await store.lock.acquire(another, HOUR)
    const [waves] = (await store.ledger.announcements()).map((one) => one.waves)
    if (!waves) throw new Error('no waves')
    const { stopped: _, ...going } = waves
    await store.ledger.keepWaves('another', 'launch', going)
    expect(await run('5', { wait: false, ready: unready })).toMatchObject({ why: 'notReady' })
    expect(await stoppedIn(store)).toBe(undefined)
    await store.lock.release('another')
    expect(await run('5', { wait: false })).toMatchObject({ why: 'notDue' })
    expect(await stoppedIn(store)).toBe(undefined)
    expect(inboxes()).toHaveLength(10)
  })

  it('looks again before each wave but one that the operator has just seen looked at', async () => {
    const { run } = await wavesOn(20)
    const looks: boolean[] = []
    const ready = async (isFirst: boolean) => {
      looks.push(isFirst)
      return { mostToGmail: undefined }
    }
    await run('5', { wait: false, ready })
    // Started while the second one is not due yet.
    await run('5', { ready })
    expect(looks).toEqual([true, false, false, false])
  })

  it('tells that it was ended from outside while it waited, and not that it was by hand', async () => {
    const { run, store, log } = await wavesOn(20)
    await store.notices.open([PLACE], new Date())
    const told = () => toldAt(store)
    /** Ended while it waits for the second wave. */
    const endedBy = async (reason: Error | undefined) => {
      const stop = new AbortController()
      const clock = {
        now: () => new Date(),
        elapsed: () => performance.now(),
        pause: async () => stop.abort(reason),
      }
      expect(await run('50%,100%', { clock }, stop.signal)).toMatchObject({ why: 'interrupted' })
    }
    await endedBy(undefined)
    expect(log).toEqual(['1: 10', 'waits for the wave'])
    expect(await told()).toEqual([])
    await endedBy(new EndedFromOutside())
    expect(await told()).toMatchObject([{ type: 'alarm.began', data: { why: 'ended' } }])
  })

  it('ends while it waits for another run, and tells that it was ended from outside', async () => {
    const { run, store, set, clock, log } = await wavesOn(10)
    await store.notices.open([PLACE], new Date())
    await run('5', { wait: false })
    set(2 * HOUR)
    await store.lock.acquire({ owner: 'another', host: 'here', pid: process.pid }, 24 * HOUR)
    const stop = new AbortController()
    const pause = async () => stop.abort(new EndedFromOutside())
    expect(await run('5', { clock: { ...clock, pause } }, stop.signal)).toMatchObject({
      why: 'interrupted',
      kept: { number: 1 },
    })
    expect(log).toEqual(['1: 5', 'waits for the run'])
    const told = await toldAt(store)
    expect(told).toMatchObject([{ type: 'alarm.began', data: { why: 'ended' } }])
  })

  it('notes that the page was open, also for the waves that come later', async () => {
    const { run, store, set } = await wavesOn(10)
    const sawOpen = async () => (await store.ledger.findAnnouncement('launch'))?.waves?.sawOpen
    const once = (isOpen: boolean) =>
      run('5', { wait: false, ready: async () => ({ mostToGmail: undefined, isOpen }) })
    await once(true)
    expect(await sawOpen()).toBe(true)
    set(2 * HOUR)
    await once(false)
    expect(await sawOpen()).toBe(true)
  })

  it('goes by a number at a time until everybody is told', async () => {
    const { run, log, inboxes } = await wavesOn(25)
    expect(await run('10')).toMatchObject({ why: 'done' })
    expect(log.filter((line) => /\d/.test(line))).toEqual(['1: 10', '2: 10', '3: 5'])
    expect(inboxes().toSorted()).toEqual(emails(25).toSorted())
  })

  it('sends what is due and no more when it is not to wait, as a timer would have it', async () => {
    const { run, set, inboxes } = await wavesOn(20)
    const once = () => run('5', { wait: false })
    expect(await once()).toMatchObject({ why: 'notDue' })
    expect(await once()).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(5)
    set(2 * HOUR)
    await once()
    await once()
    expect(inboxes()).toHaveLength(10)
    // The machine was down for days: one wave comes then, not all that were missed.
    set(100 * HOUR)
    await once()
    expect(inboxes()).toHaveLength(15)
  })

  it('sends no wave early, nor twice, nor never, when the clock is set back or was ahead', async () => {
    const { run, set, inboxes, clock, now } = await wavesOn(20)
    const once = () => run('50%,100%', { wait: false })
    await once()
    set(-HOUR)
    expect(await once()).toMatchObject({ why: 'notDue' })
    set(2.5 * HOUR)
    expect(await once()).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(10)
    set(-10_000 * HOUR)
    const [begun, waitedBefore] = [now(), clock.elapsed()]
    expect(await run('50%,100%')).toMatchObject({ why: 'done' })
    expect(clock.elapsed() - waitedBefore).toBeLessThanOrEqual(2 * HOUR)
    expect(now() - begun).toBeGreaterThanOrEqual(2 * HOUR - 1)
    expect(inboxes().toSorted()).toEqual(emails(20).toSorted())
  })

  it('goes on within the time between two waves where a timer starts it and the clock was a year ahead', async () => {
    const { run, set, inboxes } = await wavesOn(30)
    const once = async () => {
      const end = await run('10', { wait: false })
      return { ...end, sent: inboxes().length }
    }
    set(8760 * HOUR)
    await once()
    set(-8760 * HOUR)
    expect(await once()).toMatchObject({ why: 'notDue', sent: 10 })
    set(1.9 * HOUR)
    expect(await once()).toMatchObject({ why: 'notDue', sent: 10 })
    set(0.1 * HOUR)
    expect(await once()).toMatchObject({ why: 'notDue', sent: 20 })
    set(2 * HOUR)
    expect(await once()).toMatchObject({ why: 'done', sent: 30 })
  })

  it('makes no wave early where a timer starts it while the clock is days behind', async () => {
    const { run, set, inboxes } = await wavesOn(20)
    const once = () => run('10', { wait: false })
    await once()
    set(-48 * HOUR)
    expect(await once()).toMatchObject({ why: 'notDue' })
    set(49 * HOUR)
    expect(await once()).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(10)
    set(1 * HOUR)
    expect(await once()).toMatchObject({ why: 'done' })
    expect(inboxes()).toHaveLength(20)
  })

  it('goes on by its own clock where that was ahead only when a wave began', async () => {
    const { run, set, inboxes, store, oneByOne } = await wavesOn(20)
    set(8760 * HOUR)
    const stop = new AbortController()
    const mailer = oneByOne(async () => inboxes().length === 2 && stop.abort())
    const cut = { run: (options: object) => announce({ ...options, mailer, on: quiet } as never) }
    await run('10', cut as never, stop.signal)
    set(-8760 * HOUR)
    expect(await run('10', { wait: false })).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(10)
    const { begunAt, nextAt } = (await store.ledger.findAnnouncement('launch'))?.waves ?? {}
    expect(begunAt?.getTime()).toBeLessThanOrEqual(Date.now())
    expect(nextAt?.getTime()).toBeLessThanOrEqual(Date.now() + 2 * HOUR)
    set(2 * HOUR)
    await run('10', { wait: false })
    expect(inboxes()).toHaveLength(20)
  })

  it.for(['unsubscribed', 'complained'] as const)(
    'stops by itself when too many %s in a wave, and goes on when it is told to',
    async (standing) => {
      const { run, store, inboxes } = await wavesOn(360)
      await run('350', { wait: false })
      const leave = async (n: number) => {
        if (standing === 'unsubscribed') return store.standings.unsubscribe(ids.of(person(n).email))
        await store.standings.set([{ email: person(n).email, standing }])
      }
      await leave(1)
      expect(await run('350', { wait: false })).toMatchObject({ why: 'notDue' })
      await leave(2)
      const stopped = await run('350')
      expect(stopped).toMatchObject({
        why: 'breach',
        breach: { why: 'leaving', wave: 1, people: 2, of: 350, limit: 0.003 },
      })
      expect(await run('350')).toMatchObject({ why: 'breach' })
      expect(inboxes()).toHaveLength(350)
      expect(await run('350', { goOn: true })).toMatchObject({ why: 'done' })
      expect(inboxes()).toHaveLength(360)
    },
  )

  const comeBack = async (store: Store, email: string) =>
    expect
      .poll(async () => {
        await store.list.add(email)
        return store.standings.of(email)
      })
      .toBeUndefined()

  it.for([
    ['are erased', (store: Store, email: string) => store.standings.forget(email)],
    ['come back', comeBack],
  ] as const)('stops in the next wave, though those who left in one %s', async ([, then]) => {
    const { run, store, set, inboxes } = await wavesOn(90)
    const leave = async (from: number, to: number) => {
      for (let n = from; n <= to; n += 1) await store.standings.unsubscribe(ids.of(person(n).email))
    }
    const once = { wait: false, stopLeaving: 0.1, stopShare: 1 }
    await run('30', once)
    await leave(1, 4)
    expect(await run('30', once)).toMatchObject({ why: 'breach', breach: { people: 4, of: 30 } })
    expect(await run('30', { ...once, goOn: true })).toMatchObject({ why: 'notDue' })
    set(2 * HOUR)
    expect(await run('30', once)).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(60)
    for (let n = 1; n <= 4; n += 1) await then(store, person(n).email)
    // Who had left before is no news.
    expect(await run('30', once)).toMatchObject({ why: 'notDue' })
    await leave(31, 34)
    set(2 * HOUR)
    expect(await run('30', once)).toMatchObject({
      why: 'breach',
      breach: { why: 'leaving', wave: 2, people: 4, of: 30 },
    })
    expect(inboxes()).toHaveLength(60)
  })

  it('stops where failed or bounced ones are erased, and goes on when it is told to', async () => {
    const { run, store, set, inboxes } = await wavesOn(90)
    const bounce = async (from: number, to: number) => {
      const heard = people(to).slice(from - 1)
      await store.standings.set(heard.map(({ email }) => ({ email, standing: 'bounced' })))
    }
    const once = { wait: false, stopLeaving: 1 }
    await run('30', once)
    await bounce(1, 4)
    expect(await run('30', { ...once, goOn: true })).toMatchObject({ why: 'notDue' })
    for (let n = 1; n <= 4; n += 1) await store.standings.forget(person(n).email)
    await bounce(5, 8)
    set(2 * HOUR)
    expect(await run('30', once)).toMatchObject({
      why: 'breach',
      breach: { why: 'failing', wave: 1, people: 4, of: 30, erased: 4 },
    })
    expect(await run('30', { ...once, goOn: true })).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(60)
  })

  it('does not count those who left before they were told, or were never to be', async () => {
    const { run, store, log } = await wavesOn(20)
    await store.standings.unsubscribe(ids.of(person(1).email))
    await store.standings.unsubscribe(ids.of(person(20).email))
    expect(await run('50%,75%,100%')).toMatchObject({ why: 'done' })
    // The next in line have their letters.
    expect(log.filter((line) => /^\d/.test(line))).toEqual(['1: 10', '2: 5', '3: 3'])
    // The one who left at the end of the list had yet to be passed over.
    expect((await store.ledger.findAnnouncement('launch'))?.waves).toMatchObject({ size: 4 })
  })

  it('stops by itself when too many leave while it is waited for the next one', async () => {
    const { run, store, clock, inboxes } = await wavesOn(20)
    let isFirst = true
    const { pause } = clock
    const stopped = await run('50%,100%', {
      clock: {
        ...clock,
        async pause(ms, signal) {
          if (isFirst) await store.standings.unsubscribe(ids.of(person(1).email))
          isFirst = false
          await pause(ms, signal)
        },
      },
    })
    expect(stopped).toMatchObject({ why: 'breach', breach: { why: 'leaving', people: 1, of: 10 } })
    expect(clock.elapsed()).toBeLessThan(HOUR)
    expect(inboxes()).toHaveLength(10)
  })

  it('looks as often as it is to while it waits, and once before the wave', async () => {
    const { run, store } = await wavesOn(20)
    let looks = 0
    const { departed } = store.ledger
    store.ledger.departed = (id) => {
      looks += 1
      return departed(id)
    }
    const plan = { everyMs: HOUR, lookEveryMs: HOUR / 6 }
    await run('50%,100%', { ...plan, wait: false })
    looks = 0
    expect(await run('50%,100%', plan)).toMatchObject({ why: 'done' })
    // At its beginning, six in the hour, and two for the last wave itself.
    expect(looks).toBe(9)
  })

  it('leaves no wave to begin where too many left since it was looked', async () => {
    const { run, store, clock, inboxes } = await wavesOn(20)
    const pause = async (ms: number, signal: AbortSignal) => {
      // In the last half minute.
      if (ms < 30_000) await store.standings.unsubscribe(ids.of(person(1).email))
      await clock.pause(ms, signal)
    }
    const stopped = await run('50%,100%', { lookEveryMs: 3 * HOUR, clock: { ...clock, pause } })
    expect(stopped).toMatchObject({ why: 'breach', breach: { people: 1 } })
    expect(inboxes()).toHaveLength(10)
  })

  it('stops by itself when more than 5 % failed in a wave, or bounced after it', async () => {
    const bad = [person(3).email, person(4).email]
    const { run, store, inboxes } = await wavesOn(80, (to) =>
      bad.includes(to) ? 'refuse' : 'accept',
    )
    await run('50%,100%', { wait: false })
    await store.standings.set([{ email: person(9).email, standing: 'bounced' }])
    const stopped = await run('50%,100%')
    expect(stopped).toMatchObject({
      why: 'breach',
      breach: { why: 'failing', wave: 1, people: 3, of: 40, limit: 0.05 },
    })
    expect(inboxes()).toHaveLength(38)
    expect(await run('50%,100%', { stopShare: 0.2 })).toMatchObject({ why: 'done' })
    expect(inboxes()).toHaveLength(78)
  })

  it.for([
    ['refuse', 'failing', 'failing'],
    ['defer', 'deferring', 'mail'],
  ] as const)(
    'says in the store that a run stopped in a wave where all letters get: %s',
    async ([answer, why, stopped]) => {
      const { run, store } = await wavesOn(80, () => answer)
      expect(await run('50%,100%')).toMatchObject({ why: 'ended', end: { why } })
      expect(await stoppedIn(store)).toBe(stopped)
    },
  )

  it('goes on with the wave that Ctrl-C cut, and with those after it', async () => {
    const { run, oneByOne, store, inboxes } = await wavesOn(30)
    const stop = new AbortController()
    const mailer = oneByOne(async () => inboxes().length === 7 && stop.abort())
    const cut = await run(
      '50%,100%',
      { run: async (options) => (await announce({ ...options, mailer, on: quiet })) as never },
      stop.signal,
    )
    expect(cut).toMatchObject({ why: 'ended', end: { why: 'interrupted' } })
    expect(inboxes()).toHaveLength(8)
    expect((await store.ledger.findAnnouncement('launch'))?.waves).toMatchObject({
      number: 1,
      target: 15,
    })
    await run('50%,100%', { wait: false })
    expect(inboxes()).toHaveLength(15)
    expect(await run('50%,100%')).toMatchObject({ why: 'done' })
    expect(inboxes().toSorted()).toEqual(emails(30).toSorted())
  })

  it('sends no wave twice when two wait for the same one', async () => {
    const { run, store, log, inboxes } = await wavesOn(20)
    await run('5', { wait: false })
    const isSecondOver = async () => {
      const { number = 0, endedAt } = (await store.ledger.findAnnouncement('launch'))?.waves ?? {}
      return number === 2 && endedAt !== undefined && !(await store.lock.holder())
    }
    // Both have found the wave due before either begins it.
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ends = await Promise.all(
      both.map(({ resolve }, i) => {
        let isFirst = true
        return run('5', {
          everyMs: 2 * HOUR,
          clock: slow(),
          async ready() {
            resolve()
            if (isFirst) await Promise.all(both.map(({ promise }) => promise))
            // The other one has sent it, and let go of the lock, before this one asks for it.
            if (isFirst && i === 1) await expect.poll(isSecondOver).toBe(true)
            isFirst = false
            return { mostToGmail: undefined }
          },
        })
      }),
    )
    expect(ends.map(({ why }) => why)).toEqual(['done', 'done'])
    expect(log.filter((line) => /\d/.test(line)).toSorted()).toEqual([
      '1: 5',
      '2: 5',
      '3: 5',
      '4: 5',
    ])
    expect(new Set(inboxes()).size).toBe(20)
    expect(inboxes()).toHaveLength(20)
  })

  it('takes another plan for those who are not told yet', async () => {
    const { run, log, inboxes } = await wavesOn(40)
    await run('10%,100%', { wait: false })
    expect(await run('25%,50%,100%', { changePlan: true })).toMatchObject({ why: 'done' })
    expect(log.filter((line) => /\d/.test(line))).toEqual(['1: 4', '1: 6', '2: 10', '3: 20'])
    expect(inboxes().toSorted()).toEqual(emails(40).toSorted())
  })

  it('ends a wave that was cut where it stands when another plan is taken in the middle of it', async () => {
    const { run, oneByOne, store, log, inboxes } = await wavesOn(40)
    const stop = new AbortController()
    const mailer = oneByOne(async () => inboxes().length === 7 && stop.abort())
    const cut = { run: (options: object) => announce({ ...options, mailer, on: quiet } as never) }
    await run('100%', cut as never, stop.signal)
    expect(inboxes()).toHaveLength(8)
    const changed = { wait: false, changePlan: true, everyMs: HOUR }
    expect(await run('10%,50%,100%', changed)).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(8)
    const kept = (await store.ledger.findAnnouncement('launch'))?.waves
    expect(kept).toMatchObject({ number: 1, target: 8, isLast: false, everyMs: HOUR })
    log.length = 0
    expect(await run('10%,50%,100%', { everyMs: HOUR })).toMatchObject({ why: 'done' })
    expect(log.filter((line) => /\d/.test(line))).toEqual(['2: 12', '3: 20'])
    expect(inboxes().toSorted()).toEqual(emails(40).toSorted())
  })

  it('takes no share for passed while it is not known of how many', async () => {
    const { run, store, log, inboxes, set } = await wavesOn(40)
    await run('4', { wait: false })
    await store.lock.acquire({ owner: 'killed', host: 'here', pid: process.pid }, 60_000)
    await store.ledger.moveCutOff('killed', 'launch')
    await store.lock.release('killed')
    const changed = { wait: false, changePlan: true }
    expect(await run('25%,50%,100%', changed)).toMatchObject({ why: 'notDue' })
    set(2 * HOUR)
    await run('25%,50%,100%', { wait: false })
    expect(inboxes()).toHaveLength(10)
    expect(log.at(-1)).toBe('1: 6')
  })

  it('ends where all who are left are forgotten before the next wave', async () => {
    const { run, store, inboxes } = await wavesOn(10)
    const plan = { stopLeaving: 1, wait: false } as const
    await run('5', plan)
    for (let n = 6; n <= 10; n += 1) await store.standings.forget(person(n).email)
    let looks = 0
    const ready = async () => {
      looks += 1
      if (looks > 5) throw new Error('looks again and again')
      return { mostToGmail: undefined }
    }
    expect(await run('5', { ...plan, wait: true, ready })).toMatchObject({ why: 'done' })
    expect(inboxes()).toHaveLength(5)
  })

  it('tells the operator, wherever they are, that the pre-flight failed before a wave', async () => {
    const { run, store, inboxes } = await wavesOn(10)
    await store.notices.open([PLACE], new Date())
    let looks = 0
    const ready = async () => {
      looks += 1
      return looks === 1 ? { mostToGmail: undefined } : undefined
    }
    expect(await run('5', { ready })).toEqual({ why: 'notReady' })
    expect(inboxes()).toHaveLength(5)
    const told = await toldAt(store)
    const data = { alarm: 'announcement', announcement: 'launch', why: 'unready' }
    expect(told).toMatchObject([{ type: 'alarm.began', data }])
  })

  it('tells the operator of each reason, though another was told within the hour', async () => {
    const { store } = await wavesOn(1)
    await store.notices.open([PLACE], new Date())
    for (const why of ['unready', 'unready', 'leaving', 'leaving', 'done'] as const)
      await noteEnd(store.notices, 'launch', { why, answer: '' })
    const told = await toldAt(store)
    expect(told?.map(({ type, data }) => [type, data.why])).toEqual([
      ['alarm.began', 'unready'],
      ['alarm.began', 'leaving'],
      ['alarm.ended', 'leaving'],
    ])
  })

  it('gives way to a plan that another process took meanwhile, and to one that gave it up', async () => {
    const { run, store, inboxes, clock } = await wavesOn(40)
    /** As a process that waits while `work` is done elsewhere. */
    const meanwhile = (
      waves: string,
      more: Partial<WavesOptions>,
      work: () => Promise<unknown>,
    ) => {
      let done: Promise<unknown> | undefined
      const pause = async (ms: number, signal: AbortSignal) => {
        done ??= work()
        await done
        await clock.pause(ms, signal)
      }
      return run(waves, { ...more, clock: { ...clock, pause } })
    }
    const taken = { changePlan: true, wait: false }
    const other = meanwhile('10%,100%', { changePlan: true }, () => run('1', taken))
    await expect(other).rejects.toMatchObject({
      why: { code: 'other-plan', waves: '1', every: '2h', isAsked: true },
    })
    expect(inboxes()).toHaveLength(4)
    expect((await store.ledger.findAnnouncement('launch'))?.waves).toMatchObject({ waves: '1' })
    const givenUp = meanwhile('2', { changePlan: true }, async () => {
      const owner = 'other'
      const lock = await holdLock(store.lock, { owner, host: 'here', pid: process.pid })
      await store.ledger.keepWaves(owner, 'launch', undefined)
      if ('release' in lock) await lock.release()
    })
    await expect(givenUp).rejects.toMatchObject({ why: { code: 'no-waves-any-more' } })
    expect(inboxes()).toHaveLength(6)
  })

  it('gives way to a plan that another process took right after the first wave', async () => {
    const { run, inboxes } = await wavesOn(40)
    const sent = async () => {
      await run('1', { changePlan: true, wait: false })
    }
    const on = { sent, waiting: () => {}, left: () => {}, away: () => {} }
    await expect(run('10%,100%', { changePlan: true, on })).rejects.toMatchObject({
      why: { code: 'other-plan', waves: '1' },
    })
    expect(inboxes()).toHaveLength(4)
  })

  it('tells the operator of a fault in a wave that has begun, and of none before', async () => {
    const { run, store, inboxes } = await wavesOn(10)
    await store.notices.open([PLACE], new Date())
    const told = () => toldAt(store)
    const away = () => Promise.reject(new StoreUnavailable('away'))
    await expect(run('5', { wait: false, ready: away })).rejects.toThrow('away')
    expect(await told()).toEqual([])
    await expect(run('5', { wait: false, run: away })).rejects.toThrow('away')
    expect(await told()).toMatchObject([{ type: 'alarm.began', data: { why: 'fault' } }])
    expect(inboxes()).toEqual([])
  })

  it('tells nobody without waves who looked before their plan was kept', async () => {
    const { run, store, inboxes, mailer, message } = await wavesOn(10)
    await run('5', { wait: false })
    const announceAll = (retry?: 'failed') =>
      announce({
        store,
        mailer,
        message,
        on: quiet,
        rate: 1e6,
        stopShare: 1,
        retry,
        id: 'launch',
        letter: { subject: 'We are live', digest: 'one' },
        holder: { owner: randomUUID(), host: 'here', pid: process.pid },
        signal: new AbortController().signal,
      })
    await expect(announceAll()).rejects.toMatchObject({
      why: { code: 'other-plan', waves: '5', every: '2h', isAsked: false },
    })
    await announceAll('failed')
    expect(inboxes()).toHaveLength(5)
    await run('5')
    expect(await announceAll()).toMatchObject({ why: 'done', balance: { holds: true } })
    expect(inboxes()).toHaveLength(10)
  })

  it('keeps another plan, and what is passed over, though no wave is due', async () => {
    const { run, store, inboxes } = await wavesOn(20)
    await run('50%,100%', { wait: false })
    expect(await run('2', { wait: false, changePlan: true })).toMatchObject({ why: 'notDue' })
    expect(await run('2', { wait: false })).toMatchObject({ why: 'notDue' })
    await store.standings.unsubscribe(ids.of(person(1).email))
    expect(await run('2', { wait: false })).toMatchObject({ why: 'breach' })
    expect(await stoppedIn(store)).toBe('leaving')
    expect(await run('2', { wait: false, goOn: true })).toMatchObject({ why: 'notDue' })
    expect(await stoppedIn(store)).toBe(undefined)
    expect(await run('2', { wait: false })).toMatchObject({ why: 'notDue' })
    expect(inboxes()).toHaveLength(10)
  })

  it('tells who signs up meanwhile only where that is asked', async () => {
    const { run, store, inboxes } = await wavesOn(10)
    await run('5', { wait: false })
    await store.list.add('late@example.com')
    expect(await run('5')).toMatchObject({ why: 'done' })
    expect(inboxes()).not.toContain('late@example.com')
    await expect.poll(() => store.list.find('late@example.com')).toBeDefined()
  })

  it('sends no more to Gmail in 24 hours than it may, and the rest when it may', async () => {
    const { run, store, log, inboxes, clock } = await wavesOn(6)
    const gmail = Array.from({ length: 14 }, (_, i) => ({
      email: `g${i}@${i % 2 ? 'gmail.com' : 'googlemail.com'}`,
      subscribedAt: new Date(Date.UTC(2026, 5, 1, i)),
    }))
    await store.list.importAll(gmail)
    const toGmail = () => inboxes().filter((to) => /@g/.test(to)).length
    const seen: number[] = []
    const { why } = await run('100%', {
      ready: async () => {
        seen.push(toGmail())
        return { mostToGmail: 4 }
      },
    })
    expect(why).toBe('done')
    expect(inboxes()).toHaveLength(20)
    expect(new Set(inboxes()).size).toBe(20)
    expect(log).toContain('waits for the gmail')
    // The rows are marked by the real clock, so a virtual day later there is room again.
    expect(Math.max(...seen.map((n, i) => n - (seen[i - 1] ?? 0)))).toBeLessThanOrEqual(4)
    expect(clock.elapsed()).toBeGreaterThan(20 * HOUR)
  })

  it('waits for the next wave where Gmail has room for all of this one', async () => {
    const { run, log } = await wavesOn(10)
    await run('50%,100%', { ready: async () => ({ mostToGmail: 4 }) })
    expect(log).toEqual(['1: 5', 'waits for the wave', '2: 5'])
  })

  it('holds a letter to Gmail back for a minute where the ledger gives one too many', async () => {
    const { store, message } = await setStage(0)
    const emails = ['one@gmail.com', 'two@gmail.com', 'three@example.com'] as const
    for (const email of emails) await store.list.add(email)
    const owner = 'a run'
    await store.lock.acquire({ owner, host: 'here', pid: process.pid }, 60_000)
    const announcement = await store.ledger.begin(owner, 'launch', { subject: '', digest: '' })
    const now = new Date()
    const stage = waveStage({
      store,
      owner,
      selection: { id: 'launch' },
      plan: { size: 3 },
      everyMs: HOUR,
      seen: undefined,
      agreed: undefined,
      mostToGmail: 1,
      message,
      now: () => now,
    })
    const tally = await store.ledger.tally('launch')
    await stage.begin(announcement, { tally, all: 3, passedOver: 0, taken: 0 })
    const held = { dueAt: new Date(now.getTime() + 60_000) }
    const [first, second, third] = await Promise.all(
      emails.map((email) => stage.message({ email, addressId: ids.of(email) })),
    )
    expect(first).toMatchObject({ to: 'one@gmail.com' })
    expect(second).toMatchObject(held)
    expect(third).toMatchObject({ to: 'three@example.com' })
  })
})
