import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { apart } from './command.ts'
import type { Owner } from './owner.ts'
import { type NotReady, whyNotReady } from './ready.ts'

export interface Trial {
  /** The folder of the tried code. */
  readonly code: string
  readonly env: NodeJS.ProcessEnv
  readonly owner: Owner
  readonly withinMs: number
}

/**
 * Starts the server on a free port, waits until it is ready, asks for its page, and ends it.
 *
 * @returns what went wrong, with its last lines; `undefined` for nothing.
 */
export async function tryServer({
  code,
  env,
  owner,
  withinMs,
}: Trial): Promise<NotReady | undefined> {
  const tied = join(import.meta.dirname, 'tied-server.ts')
  const server = spawn(process.execPath, [tied, join(code, 'src/server/main.ts')], {
    ...owner,
    ...apart(),
    cwd: code,
    env: { ...env, PORT: '0', HOST: '127.0.0.1', METRICS_PORT: 'off' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  let opened: (url: string) => void = () => {}
  const isOpen = new Promise<string>((resolve) => {
    opened = resolve
  })
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const url = / is open at (\S+)$/m.exec(said)?.[1]
      if (url) opened(url)
    })
  const ended = new Promise<void>((resolve) => {
    server.on('error', () => resolve())
    server.on('close', () => resolve())
  })
  const isRunning = () => server.exitCode === null && server.signalCode === null
  const late = AbortSignal.timeout(withinMs)
  const isLate = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
  try {
    const url = await Promise.race([isOpen, ended, isLate])
    const found = url ? await lookAt(url, withinMs, isRunning) : ({ why: 'no-port' } as const)
    return found && { ...found, said: said.trim().split('\n').slice(-8).join('\n') }
  } finally {
    server.kill()
    const asked = setTimeout(() => server.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(asked)
  }
}

async function lookAt(
  url: string,
  withinMs: number,
  isRunning: () => boolean,
): Promise<NotReady | undefined> {
  const why = await whyNotReady(url, withinMs, isRunning)
  if (why) return why
  const page = await fetch(url)
  const isPage = page.status === 200 && /^text\/html/.test(page.headers.get('content-type') ?? '')
  await page.body?.cancel()
  return isPage ? undefined : { why: 'page', status: page.status }
}
