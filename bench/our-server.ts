import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, start, workFolder } from './processes.ts'

export interface OurServer extends Running {
  /** Without a slash at the end. */
  readonly url: string
  readonly dataDir: string
}

/** Signs the cookies of all servers that are measured. */
export const SESSION_KEY = 'a session key for servers that are measured'

/** Starts our server, without its limit of sign-ups. @param name of its folder. */
export async function startOurServer(name: string): Promise<OurServer> {
  const dataDir = join(workFolder, name)
  mkdirSync(dataDir, { recursive: true })
  const settings = { PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: '0', LOG_LEVEL: 'warn', SESSION_KEY }
  const server = await start(process.execPath, ['src/server/main.ts'], {
    ready: / is open at (\S+)/,
    env: { ...process.env, ...settings },
  })
  return { ...server, url: server.ready[1] as string, dataDir }
}
