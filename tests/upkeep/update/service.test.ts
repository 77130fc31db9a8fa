import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import { notReadyInWords } from '../../../src/cli/words/not-ready.ts'
import { unitFiles } from '../../../src/upkeep/install/service-files.ts'
import type { NotReady } from '../../../src/upkeep/update/ready.ts'
import { findService, type StopFailed, serviceOf } from '../../../src/upkeep/update/service.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { worded } from '../worded.ts'

const inWords = (why: NotReady | undefined) => why && notReadyInWords(why)

const root = '/srv/opening-bell'
let prefix: string

/** A machine on which systemd runs the server that is installed in `root`. */
beforeEach(() => {
  prefix = tempDir()
  for (const folder of ['etc/systemd/system', 'run/systemd/system'])
    mkdirSync(join(prefix, folder), { recursive: true })
  const [unit] = unitFiles({ root, node: '/usr/bin/node' })
  writeFileSync(join(prefix, String(unit?.path)), String(unit?.text))
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** A port on which something answers as our server does. */
async function serving(answer: { status: number }) {
  const server = createServer((_, response) => {
    response.writeHead(answer.status).end('{"status":"alive"}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { PORT: String((server.address() as AddressInfo).port) }
}

it('is systemd’s where its unit runs this folder, and asks for root', async () => {
  const env = { PORT: '1', DATA_DIR: '/var/lib/opening-bell' }
  vi.spyOn(process, 'geteuid').mockReturnValue(0)
  expect(await findService(root, env, {}, prefix)).toEqual({ kind: 'systemd' })
  expect(await findService('/srv/other', env, {}, prefix)).toEqual({ kind: 'none' })
  vi.spyOn(process, 'geteuid').mockReturnValue(1000)
  await expect(worded(findService(root, {}, {}, prefix))).rejects.toThrow(
    'sudo opening-bell update',
  )
})

it('refuses to update systemd’s with other settings than those of the service', async () => {
  vi.spyOn(process, 'geteuid').mockReturnValue(0)
  for (const env of [{}, { DATA_DIR: ' ' }])
    await expect(worded(findService(root, env, {}, prefix))).rejects.toThrow(
      'sudo opening-bell update',
    )
})

it('refuses a running server that it could not restart, and says how it could', async () => {
  const env = await serving({ status: 200 })
  await expect(worded(findService('/srv/other', env, {}))).rejects.toThrow('--stop "…" --start "…"')
  const commands = { stop: 'pm2 stop bell', start: 'pm2 start bell' }
  expect(await findService('/srv/other', env, commands)).toEqual({ kind: 'commands', ...commands })
  await expect(worded(findService('/srv/other', env, { stop: 'x' }))).rejects.toThrow('Name both')
})

it('restarts the unit, and believes /readyz', async () => {
  const folder = tempDir()
  const noted = join(folder, 'noted')
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$@" >>'${noted}'\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const answer = { status: 503 }
  const env = await serving(answer)
  const service = serviceOf({ kind: 'systemd' }, folder, env, folder, () => {})
  expect(inWords(await service.restart(300))).toMatch(
    /^\/readyz answers 503 after .* s: journalctl -u/,
  )
  answer.status = 200
  expect(await service.restart(300)).toBeUndefined()
  await service.stop()
  const verbs = readFileSync(noted, 'utf8').trim().split('\n')
  expect(verbs).toEqual(
    ['restart', 'restart', 'stop'].map((verb) => `${verb} opening-bell.service`),
  )
})

it('starts what is there although nothing runs that could be stopped', async () => {
  const folder = tempDir()
  const started = join(folder, 'started')
  const commands = { kind: 'commands', stop: 'false', start: `touch '${started}'` } as const
  const said: StopFailed[] = []
  const serviceAt = (env: NodeJS.ProcessEnv) =>
    serviceOf(commands, folder, env, folder, (failed) => said.push(failed))
  const nobody = serviceAt({ PORT: String(await freePort()) })
  await nobody.stop()
  expect(inWords(await nobody.restart(0))).toContain('/readyz does not answer')
  expect(existsSync(started)).toBe(true)
  expect(said[0]).toMatchObject({ command: 'false', url: expect.stringMatching('^http:') })
  // One that goes on would hold the port, and answer for the new one.
  rmSync(started)
  const somebody = serviceAt(await serving({ status: 200 }))
  await expect(worded(somebody.stop())).rejects.toThrow('"false" failed')
  expect(inWords(await somebody.restart(0))).toContain('"false" failed')
  expect(existsSync(started)).toBe(false)
})
