/** @module-tag thorough */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

test('Ctrl-C ends a start after what it runs, so that nothing goes on beside the next start', async () => {
  const folder = tempDir()
  const slow = `trap 'sleep 0.5; touch ended; exit 1' INT; touch begun; while :; do sleep 0.02; done`
  const module = join(import.meta.dirname, '../../scripts/bootstrap/step.mjs')
  const code = `import { step } from ${JSON.stringify(module)}
    await step('Building', ['sh', '-c', ${JSON.stringify(slow)}], { cwd: '.' })`
  const start = run(folder, [process.execPath, '--input-type=module', '--eval', code])
  await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 10_000 }).toBe(true)
  start.signal('SIGINT')
  expect(await start.ended).toBe(130)
  expect(existsSync(join(folder, 'ended'))).toBe(true)
  expect(start.output()).toBe('Building … stopped\n')
})
