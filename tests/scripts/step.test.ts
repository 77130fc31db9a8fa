import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const MODULE = JSON.stringify(join(import.meta.dirname, '../../scripts/bootstrap/step.mjs'))

/** One step of two shell scripts. */
function twoSteps(cwd: string, first: string, second: string) {
  const code = `import { step } from ${MODULE}
    const sh = (script) => ['sh', '-c', script]
    await step('Both', [${JSON.stringify([first, second])}].flat().map((one) => ({ command: sh(one), cwd: '.' })))`
  return run(cwd, [process.execPath, '--input-type=module', '--eval', code])
}

const until = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`

test('what runs at the same time has one line', async () => {
  // The first can only end after the second.
  const steps = twoSteps(tempDir(), until('second'), 'touch second')
  expect(await steps.ended).toBe(0)
  expect(steps.output()).toMatch(/^Both … [\d.]+ s\n$/)
})

test('Ctrl-C ends a start after all that it runs, so that none goes on beside the next start', {
  tags: 'thorough',
}, async () => {
  const folder = tempDir()
  const slow = `trap 'sleep 0.5; touch ended; exit 1' INT; touch begun; ${until('never')}`
  const steps = twoSteps(folder, `trap 'exit 1' INT; ${until('never')}`, slow)
  await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 10_000 }).toBe(true)
  steps.signal('SIGINT')
  expect(await steps.ended).toBe(130)
  expect(existsSync(join(folder, 'ended'))).toBe(true)
  expect(steps.output()).toContain('stopped')
})
