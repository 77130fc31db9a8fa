import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { installTools } from '../install-tools.ts'
import { start, workFolder } from '../processes.ts'
import type { Visitor } from './generate-load.ts'
import { newEmail, request } from './request.ts'

const APP = 'opening-bell-bench'
/** As with ours, a signed-in user may add a subscriber, and nobody may read one. */
const schema = {
  definitions: [
    {
      className: 'Subscriber',
      fields: { email: { type: 'String' } },
      classLevelPermissions: { create: { requiresAuthentication: true } },
    },
  ],
}

/** Parse Server on PostgreSQL, both with default settings, as a usual alternative. */
export async function startParseServer() {
  const postgres = findPostgres()
  if (!postgres) return { missing: 'Parse Server was left out: there is no PostgreSQL here.' }
  const modules = await installTools('parse-server')
  const databaseURI = await startPostgres(postgres)
  const port = await freePort()
  const config = join(workFolder, 'parse-server.json')
  const serverURL = `http://127.0.0.1:${port}/parse`
  const settings = {
    appId: APP,
    masterKey: randomUUID(),
    databaseURI,
    schema,
    serverURL,
    port,
    host: '127.0.0.1',
    silent: true,
    logsFolder: null,
  }
  writeFileSync(config, JSON.stringify(settings))
  const server = await start(
    process.execPath,
    [join(modules, 'parse-server/bin/parse-server'), config],
    { ready: /parse-server running on/, cwd: workFolder, env: process.env },
  )
  return { url: serverURL, stop: server.stop }
}

/** Visitors of Parse Server: an anonymous sign-in, then an object. */
export async function parseVisitors(url: string) {
  const ours = { 'X-Parse-Application-Id': APP }
  const anonymous = () => ({ authData: { anonymous: { id: randomUUID() } } })
  const signUp = (token: string) =>
    request(
      'POST',
      `${url}/classes/Subscriber`,
      { ...ours, 'X-Parse-Session-Token': token },
      { email: newEmail() },
    )
  const signedIn = await fetch(`${url}/users`, {
    method: 'POST',
    headers: { ...ours, 'Content-Type': 'application/json' },
    body: JSON.stringify(anonymous()),
  })
  const { sessionToken } = (await signedIn.json()) as { sessionToken: string }

  return {
    *signUp() {
      yield signUp(sessionToken)
    },
    *newcomer() {
      const answer: string = yield request('POST', `${url}/users`, ours, anonymous())
      yield signUp(/"sessionToken":"([^"]+)"/.exec(answer)?.[1] ?? '')
    },
  } satisfies Record<string, Visitor>
}

/** The folder of PostgreSQL's programs; Debian keeps those of the server off the `PATH`. */
function findPostgres(): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ]
  return folders.find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
}

async function startPostgres(bin: string): Promise<string> {
  const data = join(workFolder, 'postgres')
  const user = unprivileged()
  mkdirSync(data)
  if (user) {
    chownSync(data, user.uid, user.gid)
    chmodSync(workFolder, 0o711)
  }
  const options = { ...user, cwd: '/', env: process.env }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8'], {
    ...options,
    stdio: 'pipe',
  })
  const port = await freePort()
  await start(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', data, '-c', 'listen_addresses=127.0.0.1'],
    { ...options, ready: /ready to accept connections/, stopSignal: 'SIGINT' },
  )
  return `postgres://bench@127.0.0.1:${port}/postgres`
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
