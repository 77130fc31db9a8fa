import { environment } from '../src/product/environment.ts'
import { serverNodeOptions } from '../src/shared/server-node-options.mjs'
import { startProgram } from './program.ts'

export interface Serving {
  /** Without a slash at the end. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts a server as a process of its own and waits until it says where it is.
 *
 * @param settings variables of its environment; the port is a free one unless given.
 * @param program what is run; our real server, if not given.
 * @throws when it ends instead; why stands on standard error, which is ours.
 */
export async function serve(
  settings: Readonly<Record<string, string>>,
  program: readonly string[] = [...serverNodeOptions, 'src/server/main.ts'],
): Promise<Serving> {
  const env = { ...environment, PORT: '0', LOG_LEVEL: 'warn', ...settings }
  const server = startProgram(process.execPath, program, { env, stderr: 'ours' })
  const [, url = ''] = await server.printed(/ is open at (\S+)$/m)
  return { url, stop: async () => void (await server.end()) }
}
