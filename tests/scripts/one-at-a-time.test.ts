import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { oneAtATime } from '../../scripts/bootstrap/one-at-a-time.mjs'
import { run } from '../run.ts'
import { tempDir } from '../temp-dir.ts'

test('work on one folder waits, work on another does not', async () => {
  const folder = tempDir()
  const order: string[] = []
  const waiting = Promise.withResolvers<void>()
  let second: Promise<unknown> | undefined
  await oneAtATime(folder, neverCalled, async () => {
    second = oneAtATime(folder, waiting.resolve, async () => order.push('second'))
    await waiting.promise
    // Two turns, in which the one who waits gets hold of the lock's holder.
    await setImmediate()
    await setImmediate()
    await oneAtATime(tempDir(), neverCalled, async () => order.push('elsewhere'))
    order.push('first')
  })
  await second
  expect(order).toEqual(['elsewhere', 'first', 'second'])
})

test('who waits goes on when the one before is killed', async () => {
  const folder = tempDir()
  const module = join(import.meta.dirname, '../../scripts/bootstrap/one-at-a-time.mjs')
  const holder = run(folder, [
    process.execPath,
    '--input-type=module',
    '--eval',
    `import { oneAtATime } from ${JSON.stringify(module)}
    await oneAtATime(process.cwd(), () => {}, () => {
      console.log('has it')
      return new Promise(() => setInterval(() => {}, 1000))
    })`,
  ])
  await holder.printed(/has it/)
  let waited = false
  const onWait = () => {
    waited = true
    holder.signal('SIGKILL')
  }
  expect(await oneAtATime(folder, onWait, async () => 'mine')).toBe('mine')
  expect(waited).toBe(true)
})

function neverCalled() {
  throw new Error('nobody is there to wait for')
}
