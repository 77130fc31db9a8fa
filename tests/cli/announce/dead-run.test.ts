/** @module-tag thorough */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { isDead, newHolder, thisMachine } from '../../../src/announcement/run/dead-run.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { neglected } from '../../fixtures/zombie.ts'

it('goes on at once in place of a run that was killed and is a zombie', async () => {
  const pad = await launchPad(2)
  const { pid, end } = await neglected()
  await pad.store.lock.acquire({ owner: 'killed', host: thisMachine(), pid }, 600_000)
  expect((await pad.announce()).stderr).toContain(
    `is being sent on ${hostname()}, by process ${pid}.`,
  )
  await end()
  expect(await pad.announce()).toMatchObject({ code: 0 })
  expect(pad.inboxes()).toHaveLength(2)
})

it('goes on at once where another process has the number of the run that was killed', async () => {
  const pad = await launchPad(1)
  const other = spawn('sleep', ['60'])
  onTestFinished(() => void other.kill())
  await once(other, 'spawn')
  const { owner, ...here } = newHolder()
  const killed = { ...here, owner, pid: Number(other.pid) }
  await pad.store.lock.acquire(killed, 600_000)
  expect(await pad.announce()).toMatchObject({ code: 0 })
  expect(pad.inboxes()).toHaveLength(1)
})

it('believes a lock that a version of before has written by its number, here and nowhere else', () => {
  const here = { owner: '6e7f0a52-0b58-4d0c-8a7a-3f3f6e6a3b11', host: thisMachine() }
  expect(isDead({ ...here, pid: process.pid })).toBe(false)
  expect(isDead({ ...here, pid: 2 ** 22 + 1 })).toBe(true)
  expect(isDead({ ...here, host: 'elsewhere', pid: 2 ** 22 + 1 })).toBe(false)
  expect(isDead(newHolder())).toBe(false)
})
