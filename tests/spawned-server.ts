import { paths } from '../src/shared/api.ts'
import { fromOurPage } from './app-fixture.ts'
import { limitedTo, run } from './run.ts'

/**
 * Starts the server as `npm start` does, as a process of its own.
 *
 * @param root as `copyOfServer` makes it. @param blocks see `limitedTo`.
 */
export function startServer(root: string, env: Record<string, string>, blocks = 'unlimited') {
  const command = limitedTo(blocks, [process.execPath, 'src/server/main.ts'])
  return run(root, command, { PORT: '0', HOST: '', ...env })
}

/** The same, waiting until it is open. */
export async function startedServer(...args: Parameters<typeof startServer>) {
  const server = startServer(...args)
  await server.printed(/are kept in/)
  const [, origin = ''] = await server.printed(/open at (\S+)/)
  return { server, origin }
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
