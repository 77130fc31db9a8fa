/** @module-tag thorough */
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { ended, run } from '../fixtures/run.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { startedServer, startServer } from '../fixtures/spawned-server.ts'

const root = join(import.meta.dirname, '../..')

const ask = (env: Record<string, string>, within: string) =>
  run(root, [process.execPath, 'src/server/is-ready.ts', '--within', within], env)

it('ends with 0 for a server that takes sign-ups, with 1 for one that cannot store them', async () => {
  const copy = copyOfServer()
  const dataDir = join(copy, 'data')
  const { origin } = await startedServer(copy, { DATA_DIR: dataDir, HOST: '0.0.0.0' })
  const PORT = new URL(origin).port
  expect(await ended(ask({ PORT, HOST: '0.0.0.0' }, '20'))).toMatchObject({ code: 0, stderr: '' })
  renameSync(dataDir, `${dataDir}.away`)
  const asked = async () => {
    const { code, stderr } = await ended(ask({ PORT, HOST: '' }, '20'))
    return { code, stderr }
  }
  // An answer is believed for a second.
  await expect.poll(asked, { timeout: 20_000 }).toEqual({
    code: 1,
    stderr: `http://127.0.0.1:${PORT}/readyz answers 503\n`,
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

it('waits for a server that is still starting, but for none that has ended', async () => {
  const copy = copyOfServer()
  const PORT = String(await freePort())
  const waiting = ask({ PORT, HOST: '' }, '60')
  startServer(copy, { PORT, DATA_DIR: join(copy, 'data') })
  expect((await ended(waiting)).code).toBe(0)

  const gone = run(root, ['true'])
  await gone.ended
  const PORT2 = String(await freePort())
  const { code } = await ended(ask({ PORT: PORT2, HOST: '', MAINPID: String(gone.pid) }, '3600'))
  expect(code).toBe(2)
})
