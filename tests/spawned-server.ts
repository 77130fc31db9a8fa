import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { paths } from '../src/shared/api.ts'
import { fromOurPage } from './app-fixture.ts'

/**
 * Starts the server as `npm start` does, as a process of its own.
 *
 * @param root as `copyOfServer` makes it.
 * @param blocks the largest file it may write, in the shell's blocks of 512 or 1024 bytes.
 */
export function startServer(
  root: string,
  env: Readonly<Record<string, string>> = {},
  blocks = 'unlimited',
) {
  const command = `ulimit -f ${blocks}; exec "$0" src/server/main.ts`
  const child = spawn('sh', ['-c', command, process.execPath], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    said.out += text
  })
  child.stderr.on('data', (text) => {
    said.err += text
  })
  return { child, said }
}

/** The same, waiting until it is open. */
export async function startedServer(...args: Parameters<typeof startServer>) {
  const { child, said } = startServer(...args)
  await expect.poll(() => said.out + said.err, { timeout: 15_000 }).toContain('are kept in')
  const origin = /open at (\S+)/.exec(said.out)?.[1]
  return { child, said, origin: String(origin) }
}

export async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** A visitor's way of leaving an address; gives the status of the answer. */
export async function visitor(origin: string) {
  const session = await fetch(origin + paths.session, { method: 'POST', headers: fromOurPage })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  const headers = { ...fromOurPage, cookie, 'content-type': 'application/json' }
  return async (email: string) => {
    const body = JSON.stringify({ email })
    return (await fetch(origin + paths.subscribers, { method: 'POST', headers, body })).status
  }
}
