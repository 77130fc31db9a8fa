import { once } from 'node:events'
import { chmodSync, cpSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { oneAtATime } from '../../scripts/bootstrap/one-at-a-time.mjs'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const MODULE = join(import.meta.dirname, '../../scripts/bootstrap/one-at-a-time.mjs')

/** Starts a process that has the lock on a folder for good. */
function holder(folder: string) {
  return run(folder, [
    process.execPath,
    '--input-type=module',
    '--eval',
    `import { oneAtATime } from ${JSON.stringify(MODULE)}
    await oneAtATime(process.cwd(), () => {}, () => {
      console.log('has it')
      return new Promise(() => setInterval(() => {}, 1000))
    })`,
  ])
}

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
  const first = holder(folder)
  await first.printed(/has it/)
  let waited = false
  const onWait = () => {
    waited = true
    first.signal('SIGKILL')
  }
  expect(await oneAtATime(folder, onWait, async () => 'mine')).toBe('mine')
  expect(waited).toBe(true)
})

test('of many who find a lock whose holder was killed, one at a time goes on', async () => {
  const folder = tempDir()
  const killed = holder(folder)
  await killed.printed(/has it/)
  await killed.end('SIGKILL')

  let inside = 0
  const seen: number[] = []
  const work = async () => {
    inside += 1
    seen.push(inside)
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
    inside -= 1
  }
  await Promise.all(Array.from({ length: 30 }, () => oneAtATime(folder, () => {}, work)))
  expect(seen).toEqual(Array(30).fill(1))
})

test('who takes a number that was free again waits for the holder of a higher one', async () => {
  const folder = tempDir()
  const order: string[] = []
  const late = oneAtATime(
    folder,
    () => {},
    async () => order.push('works'),
  )
  // It has looked, and found nobody; meanwhile others came and went, and one is there.
  const holder = createServer((waiting) => {
    order.push('waits')
    holder.close()
    waiting.destroy()
  }).listen(join(folder, '.start-2'))
  onTestFinished(() => void holder.close())
  await late
  expect(order).toEqual(['waits', 'works'])
})

test('leaves one ordinary file behind, which a copy of the folder does not mind', async () => {
  const folder = tempDir()
  for (let time = 0; time < 3; time += 1) await oneAtATime(folder, neverCalled, async () => {})
  expect(readdirSync(folder)).toHaveLength(1)
  cpSync(folder, join(tempDir(), 'copy'), { recursive: true })
})

test('works in a folder with a path longer than that of a socket may be', async () => {
  const folder = tempDir()
  const long = join(folder, 'x'.repeat(120))
  cpSync(tempDir(), long, { recursive: true })
  await oneAtATime(long, neverCalled, async () => {
    expect(readdirSync(long)).toEqual(['.start-1'])
  })
})

test('somebody who may not write in a folder can hold nobody up there', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can play two users')
  const folder = tempDir()
  chmodSync(folder, 0o755)
  process.seteuid?.(65_534)
  const stranger = createServer().listen(join(folder, '.start-1'))
  const [error] = await once(stranger, 'error')
  // Nor does anything stop the stranger, who can change nothing there.
  expect(await oneAtATime(folder, neverCalled, async () => 'theirs')).toBe('theirs')
  process.seteuid?.(0)
  expect(error).toMatchObject({ code: 'EACCES' })
  expect(await oneAtATime(folder, neverCalled, async () => 'mine')).toBe('mine')
})

function neverCalled() {
  throw new Error('nobody is there to wait for')
}
