import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { oneAtATime } from '../../scripts/bootstrap/one-at-a-time.mjs'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const MODULE = join(import.meta.dirname, '../../scripts/bootstrap/one-at-a-time.mjs')

/** Starts a process that has the lock on a folder for good. */
function holder(folder: string, platform: string = process.platform) {
  return run(folder, [
    process.execPath,
    '--input-type=module',
    '--eval',
    `import { oneAtATime } from ${JSON.stringify(MODULE)}
    Object.defineProperty(process, 'platform', { value: '${platform}' })
    await oneAtATime(process.cwd(), () => {
      console.log('has it')
      return new Promise((end) => setTimeout(end, 600_000))
    })`,
  ])
}

const when = (happens: () => void) => ({
  write() {
    happens()
    return true
  },
})
const never = when(() => {
  throw new Error('nobody is there to wait for')
})

test('work on one folder waits, work on another does not', async () => {
  const folder = tempDir()
  const order: string[] = []
  const waiting = Promise.withResolvers<void>()
  let second: Promise<unknown> | undefined
  const first = async () => {
    second = oneAtATime(folder, async () => order.push('second'), when(waiting.resolve))
    await waiting.promise
    await oneAtATime(tempDir(), async () => order.push('elsewhere'), never)
    order.push('first')
  }
  await oneAtATime(folder, first, never)
  await second
  expect(order).toEqual(['elsewhere', 'first', 'second'])
})

test.for(['linux', 'darwin'])(
  'on %s, who waits goes on when the one before is killed',
  async (platform) => {
    const { platform: ours } = process
    Object.defineProperty(process, 'platform', { value: platform })
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: ours }))
    const folder = tempDir()
    const first = holder(folder, platform)
    await first.printed(/has it/)
    let waited = false
    const kill = when(() => {
      waited = true
      first.signal('SIGKILL')
    })
    expect(await oneAtATime(folder, async () => 'mine', kill)).toBe('mine')
    expect(waited).toBe(true)
    expect(await oneAtATime(folder, async () => 'again', never)).toBe('again')
  },
)

test('of many who find that the one before was killed, one at a time goes on', async () => {
  const folder = tempDir()
  const killed = holder(folder)
  await killed.printed(/has it/)
  await killed.end('SIGKILL')
  // Each in a process of its own, as starts are; who finds another inside says so.
  const inside = JSON.stringify(join(folder, 'inside'))
  const code = `import { closeSync, openSync, rmSync } from 'node:fs'
    import { oneAtATime } from ${JSON.stringify(MODULE)}
    for (let time = 0; time < 5; time += 1)
      await oneAtATime(process.cwd(), async () => {
        closeSync(openSync(${inside}, 'wx'))
        await new Promise(setImmediate)
        rmSync(${inside})
      }, { write: () => true })`
  const all = Array.from({ length: 8 }, () =>
    run(folder, [process.execPath, '--input-type=module', '--eval', code]),
  )
  for (const one of all) expect(await one.ended, one.output()).toBe(0)
})

test('a copy that is made meanwhile is free', async () => {
  const folder = tempDir()
  const copy = join(tempDir(), 'copy')
  const copied = async () => {
    cpSync(folder, copy, { recursive: true })
    return oneAtATime(copy, async () => 'mine', never)
  }
  expect(await oneAtATime(folder, copied, never)).toBe('mine')
})

test('somebody who may not write in a folder holds nobody up there, and is not held up', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can play two users')
  const folder = tempDir()
  chmodSync(folder, 0o755)
  const theirs = async () => {
    process.seteuid?.(65_534)
    try {
      return await oneAtATime(folder, async () => 'theirs', never)
    } finally {
      process.seteuid?.(0)
    }
  }
  expect(await theirs()).toBe('theirs')
  expect(await oneAtATime(folder, theirs, never)).toBe('theirs')
})
