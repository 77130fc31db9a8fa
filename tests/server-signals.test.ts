import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from './run.ts'
import { writeSiteFixture } from './site-fixture.ts'
import { tempDir } from './temp-dir.ts'

const REPOSITORY = join(import.meta.dirname, '..')

test('Ctrl-C, which npm passes on once more, closes the server and ends with 0', async () => {
  const root = tempDir()
  for (const part of ['src', 'product.config.ts', 'package.json'])
    cpSync(join(REPOSITORY, part), join(root, part), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  writeSiteFixture(root)

  const server = run(root, [process.execPath, 'src/server/main.ts'], { PORT: '0', HOST: '' })
  await server.printed(/ is open at /)
  server.signal('SIGINT')
  server.signal('SIGINT')
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
})
