import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oneAtATime } from '../../scripts/bootstrap/one-at-a-time.mjs'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const MODULE = join(import.meta.dirname, '../../scripts/bootstrap/one-at-a-time.mjs')

/** A process of its own that does some work alone, as starts are. */
const alone = (folder: string, work: string) =>
  run(folder, [
    process.execPath,
    '--input-type=module',
    '--eval',
    `import { closeSync, openSync, rmSync } from 'node:fs'
    import { oneAtATime } from ${JSON.stringify(MODULE)}
    for (let time = 0; time < 5; time += 1) await oneAtATime('.', async () => { ${work} })`,
  ])

const never = () => {
  throw new Error('nobody is there to wait for')
}

test('of many who wait for one that is killed, one at a time goes on', async () => {
  const folder = tempDir()
  const killed = alone(
    folder,
    `console.log('has it'); await new Promise((end) => setTimeout(end, 1e6))`,
  )
  await killed.printed(/has it/)
  // Who finds another inside says so.
  const inside = `closeSync(openSync('inside', 'wx')); await new Promise(setImmediate); rmSync('inside')`
  const all = Array.from({ length: 8 }, () => alone(folder, inside))
  for (const one of all) await one.printed(/Waiting for another start in this folder/)
  expect(await oneAtATime(tempDir(), async () => 'elsewhere', { write: never })).toBe('elsewhere')
  await killed.end('SIGKILL')
  for (const one of all) expect(await one.ended, one.output()).toBe(0)
  expect(await oneAtATime(folder, async () => 'mine', { write: never })).toBe('mine')
})

test('somebody who may not write in a folder holds nobody up there, and is not held up', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can play two users')
  const folder = tempDir()
  chmodSync(folder, 0o755)
  const theirs = async () => {
    process.seteuid?.(65_534)
    try {
      return await oneAtATime(folder, async () => 'theirs', { write: never })
    } finally {
      process.seteuid?.(0)
    }
  }
  expect(await theirs()).toBe('theirs')
  expect(await oneAtATime(folder, theirs, { write: never })).toBe('theirs')
})
