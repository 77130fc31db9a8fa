import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')

test('a Chromium is there before the first test that could look for one', {
  tags: 'thorough',
}, async () => {
  const folder = tempDir()
  const log = join(folder, 'log')
  for (const name of ['biome', 'tsc', 'node', 'vitest', 'playwright', 'chromium']) {
    const stub = join(folder, name)
    writeFileSync(stub, `#!/bin/sh\necho ${name} >> "${log}"\n`)
    chmodSync(stub, 0o755)
  }
  const env = { PATH: folder, CHROMIUM_PATH: join(folder, 'chromium') }
  const { stdout } = await ended(run(ROOT, [process.execPath, 'scripts/checks.ts'], env))
  const order = readFileSync(log, 'utf8').trim().split('\n')
  expect(order.slice(-2)).toEqual(['chromium', 'vitest'])
  expect(order).toContain('node')
  expect(stdout).toContain('there is no Chromium')
})
