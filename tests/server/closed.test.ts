/** @module-tag thorough */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { updateMark } from '../../src/store/under-update.ts'
import { ended, run } from '../fixtures/run.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { startServer, visitor } from '../fixtures/spawned-server.ts'

it('a server that an update tries says only whether it is ready, to this machine, until it is opened', async () => {
  const root = copyOfServer()
  const dataDir = join(root, 'data')
  const port = String(await freePort())
  const env = { DATA_DIR: dataDir, PORT: port, HOST: '0.0.0.0' }
  const url = `http://127.0.0.1:${port}`
  const first = startServer(root, env)
  await first.printed(/open at/)
  await first.end('SIGTERM')
  writeFileSync(updateMark(dataDir), '')
  const server = startServer(root, env)
  await server.printed(/closed until it is ready/)
  const status = (path: string, init?: RequestInit) =>
    fetch(url + path, init).then(
      (response) => response.status,
      () => 0,
    )
  await expect.poll(() => status('/readyz'), { timeout: 30_000 }).toBe(200)
  expect([await status('/'), await status('/healthz'), await status('/desk')]).toEqual([
    503, 503, 503,
  ])
  expect(await status('/api/subscribers', { method: 'POST' })).toBe(503)
  // Nobody else opens the list, so that the version before can have it back.
  const tool = [process.execPath, 'src/cli/main.ts', 'status'] as const
  const other = await ended(run(root, tool, env))
  expect(other).toMatchObject({ code: 1 })
  expect(other.stderr).toContain(`An update of the list in ${dataDir} is under way`)
  rmSync(updateMark(dataDir))
  await server.printed(/is open at/)
  expect(await (await visitor(url))('ada@example.com')).toBe(201)
})
