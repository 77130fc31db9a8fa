import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Serving {
  /** Without a slash at the end. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts the real server as a process of its own and waits until it says where it is.
 *
 * @param settings variables of its environment; the port is a free one unless given.
 * @throws when it ends instead; why stands on standard error, which is ours.
 */
export async function serve(settings: Readonly<Record<string, string>>): Promise<Serving> {
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...settings }
  const server = spawn(process.execPath, ['src/server/main.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(server.stdout)) {
    const url = line.match(/ is open at (\S+)$/)?.[1]
    if (!url) continue
    server.stdout.resume()
    return {
      url,
      async stop() {
        server.kill()
        await once(server, 'exit')
      },
    }
  }
  throw new Error('the server ended before it was open')
}
