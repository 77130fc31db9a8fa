import { expect, it, onTestFinished } from 'vitest'
import {
  type Ahead,
  type AnnounceJob,
  noteStopped,
} from '../../../src/announcement/run/announce-job.ts'
import type { KeptWaves } from '../../../src/store/waves.ts'
import { PLACE, toldAt } from '../../fixtures/told.ts'
import { emptySqlite } from '../../store/every-store.ts'

const HOUR_MS = 3_600_000
const plan = { size: 5 }

/** An announcement that is stopped by its pre-flight. @param nextAt of a wave that was sent before. */
async function stopped({ nextAt }: { nextAt?: Date } = {}) {
  const store = await emptySqlite()
  onTestFinished(() => store.close())
  await store.notices.open([PLACE], new Date())
  const hold = () => store.lock.acquire({ owner: 'a run', host: 'here', pid: process.pid }, 60_000)
  if (nextAt) {
    const kept: KeptWaves = {
      waves: '5',
      everyMs: HOUR_MS,
      number: 1,
      target: 5,
      size: 5,
      begunAt: new Date(nextAt.getTime() - HOUR_MS),
      before: { tried: 0, told: 0, failed: 0, left: 0, erased: 0 },
      endedAt: new Date(nextAt.getTime() - HOUR_MS),
      nextAt,
      isLast: false,
    }
    await hold()
    await store.ledger.begin('a run', 'launch', { subject: 'We are live', digest: 'x' })
    await store.ledger.keepWaves('a run', 'launch', kept)
    await store.lock.release('a run')
  }
  const isTold = async ({ wait = false, toSend = 15 } = {}) => {
    const waves = { plan, everyMs: HOUR_MS }
    const ahead = { selection: { id: 'launch' }, waves, count: { toSend } }
    await noteStopped(store, { wait } as AnnounceJob, ahead as unknown as Ahead)
    const told = await toldAt(store)
    return told?.map(({ data }) => data.why)
  }
  return { isTold, hold }
}

const passed = new Date(Date.now() - 1000)

it('an operator with a timer is told that a wave was due and could not go', async () => {
  expect(await (await stopped()).isTold()).toEqual(['unready'])
  expect(await (await stopped({ nextAt: passed })).isTold()).toEqual(['unready'])
})

it('so is one whose service began again, and not one who begins by hand with a command that waits', async () => {
  expect(await (await stopped({ nextAt: passed })).isTold({ wait: true })).toEqual(['unready'])
  expect(await (await stopped()).isTold({ wait: true })).toEqual([])
})

it('nobody is told of a wave that is not due or is being sent, nor when everybody has the letter', async () => {
  const later = await stopped({ nextAt: new Date(Date.now() + HOUR_MS) })
  expect(await later.isTold()).toEqual([])
  const due = await stopped({ nextAt: passed })
  expect(await due.isTold({ toSend: 0 })).toEqual([])
  await due.hold()
  expect(await due.isTold()).toEqual([])
})
