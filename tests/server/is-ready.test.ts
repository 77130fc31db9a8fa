/** @module-tag thorough */
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { ended, run } from '../fixtures/run.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { startServer } from '../fixtures/spawned-server.ts'

const root = join(import.meta.dirname, '../..')

const ask = (env: Record<string, string>, within: string) =>
  run(root, [process.execPath, 'src/server/is-ready.ts', '--within', within], env)

it('waits for a server that is still starting, and ends with 0 once it takes sign-ups, with 1 where it cannot store them', async () => {
  const copy = copyOfServer()
  const dataDir = join(copy, 'data')
  const PORT = String(await freePort())
  const waiting = ask({ PORT, HOST: '0.0.0.0' }, '60')
  startServer(copy, { PORT, DATA_DIR: dataDir, HOST: '0.0.0.0' })
  expect(await ended(waiting)).toMatchObject({ code: 0, stderr: '' })
  renameSync(dataDir, `${dataDir}.away`)
  // An answer is believed for a second.
  const ready = `http://127.0.0.1:${PORT}/readyz`
  await expect.poll(async () => (await fetch(ready)).status, { timeout: 20_000 }).toBe(503)
  expect(await ended(ask({ PORT, HOST: '' }, '20'))).toMatchObject({
    code: 1,
    stderr: `${ready} answers 503\n`,
  })
})

it('ends with 2 when nobody answers in time: nobody there, or somebody who is silent', async () => {
  const nobody = await ended(ask({ PORT: String(await freePort()), HOST: '' }, '0.3'))
  expect(nobody.code).toBe(2)
  expect(nobody.stderr).toMatch(/^http:\S+\/readyz does not answer: .+\n$/)

  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  expect((await ended(ask({ PORT: String(port), HOST: '' }, '0.3'))).code).toBe(2)
})

it('waits for no server that has ended', async () => {
  const gone = run(root, ['true'])
  await gone.ended
  const PORT = String(await freePort())
  const { code } = await ended(ask({ PORT, HOST: '', MAINPID: String(gone.pid) }, '3600'))
  expect(code).toBe(2)
})
