import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { sourcesStamp } from '../../../scripts/bootstrap/page-build.mjs'
import { freePort } from '../../../scripts/free-port.ts'
import { keptCode } from '../../fixtures/kept-code.ts'
import { isServed, linkPackages } from '../../fixtures/project-copy.ts'
import { ended, run } from '../../fixtures/run.ts'
import { writeSiteFixture } from '../../fixtures/site.ts'
import { visitor } from '../../fixtures/spawned-server.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const PROJECT = join(import.meta.dirname, '../../..')
const TRACKED = [
  ...['bin', 'brand', 'scripts', 'src', 'product.config.ts', 'index.html', 'vite.config.ts'],
  ...['package.json', 'package-lock.json', '.gitignore', '.gitattributes'],
]
export const MIGRATION = 'src/store/sqlite/later.ts'

/** What stands in the place of a build, which takes seconds: the page stays as it is. */
const build = `import { renameSync, writeFileSync } from 'node:fs'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
writeFileSync('stamp', sourcesStamp('.'))
renameSync('stamp', STAMP)
`

const later = `import type { Step } from './versions.ts'

export const later: Step = {
  version: 2,
  why: 'Something is kept that was not known before.',
  up(db) {
    db.exec("CREATE TABLE later (what TEXT NOT NULL) STRICT; ALTER TABLE documents ADD COLUMN later TEXT")
  },
}
`

/** In the folder of a repository. */
export function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  // Nothing is tidied up beside a test, and nothing is made small that is soon gone.
  const light = ['-c', 'maintenance.auto=false', '-c', 'core.compression=0']
  const { status, stdout, stderr } = spawnSync('git', [...who, ...light, ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

/** A repository as ours, with this code in it, of the appId `test`. */
export function upstream() {
  const folder = join(tempDir(), 'upstream')
  for (const path of TRACKED)
    cpSync(join(PROJECT, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isServed,
    })
  writeFileSync(join(folder, 'scripts/build.ts'), build)
  git(folder, 'init', '-q', '-b', 'main')
  /** Changes a file, by text. */
  function change(path: string, from: string | RegExp, to: string) {
    const before = readFileSync(join(folder, path), 'utf8')
    expect(before).toMatch(from)
    writeFileSync(join(folder, path), before.replace(from, to))
  }
  const commit = (message: string) => {
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', message)
    return git(folder, 'rev-parse', 'HEAD')
  }
  change('product.config.ts', /appId: '.*'/, "appId: 'test'")
  commit('What was released')
  return {
    ...{ folder, change, commit },
    /** From now on it never says that it is ready. */
    neverReady() {
      const route = `app.get('/readyz', async (_request, reply) => {`
      change(
        'src/server/routes/health.ts',
        route,
        `${route}
    throw new Error('never')`,
      )
      return commit('Never be ready')
    },
    /** A version with one step more. */
    release(message = 'Keep something new') {
      writeFileSync(join(folder, MIGRATION), later)
      const all = 'src/store/sqlite/versions.ts'
      change(all, 'readonly Step[] = []', 'readonly Step[] = [later]')
      change(all, 'import type', `import { later } from './later.ts'\nimport type`)
      return commit(message)
    },
  }
}

/** A founder's machine, with a clone of it, and a server that a script of theirs runs. */
export async function founder({ folder: from }: { folder: string }) {
  const folder = tempDir()
  const root = join(folder, 'site')
  git(folder, 'clone', '-q', from, root)
  linkPackages(root)
  writeSiteFixture(root)
  writeFileSync(join(root, 'dist/built-from'), sourcesStamp(root, ''))
  const dataDir = join(root, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const port = String(await freePort())
  const [pid, control] = [join(folder, 'pid'), join(folder, 'ctl.sh')]
  writeFileSync(
    control,
    `kill_at() { [ "$KILL_AT" != "$1" ] || { kill -9 $(cat '${folder}/update'); exit 1; }; }
kill_at "before $1"
case $1 in
start) cd '${root}'; setsid '${process.execPath}' src/server/main.ts >>'${folder}/log' 2>&1 & echo $! >'${pid}';;
stop) p=$(cat '${pid}') || exit; kill $p 2>/dev/null
while read -r _ _ state _ </proc/$p/stat && [ "$state" != Z ]; do sleep 0.02; done 2>/dev/null;;
esac
kill_at "after $1"
`,
  )
  // Programs of an update that end it, before or after what they do.
  for (const name of ['git', 'rm']) {
    // `KILL_AT` is when, and some of its arguments.
    const call = (when: string) =>
      `[ "$KILL_AT" ] && case "${when} ${name} $*" in "\${KILL_AT%% *} "*"\${KILL_AT#* }"*) kill -9 $PPID; exit 1;; esac`
    const real = `PATH="\${PATH#*:}" ${name} "$@"; status=$?`
    const script = `#!/bin/sh\n${call('before')}\n${real}\n${call('after')}\nexit $status\n`
    mkdirSync(join(folder, 'bin'), { recursive: true })
    writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 })
  }
  const env: Record<string, string> = {
    ...{ PORT: port, HOST: '127.0.0.1', DATA_DIR: dataDir, RATE_LIMIT: '0', BACKUP_TO: '' },
    ...{ LINK_KEY: 'a key of these tests, and only of them', PUBLIC_URL: '', CONFIRM: '' },
    ...{ ...keptCode(folder), KEPT_CODE: join(folder, '.code'), npm_execpath: '' },
    NODE_OPTIONS: `--require=${join(PROJECT, 'tests/fixtures/keep-code.cjs')}`,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  }
  const url = `http://127.0.0.1:${port}`
  const ctl = (verb: string) =>
    spawnSync('sh', [control, verb], { env: { ...process.env, ...env }, stdio: 'ignore' })
  onTestFinished(() => void ctl('stop'))
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    )
  return {
    ...{ folder, root, dataDir, url, env },
    /** Starts the server, as whatever supervises it. */
    async start() {
      ctl('start')
      await expect.poll(isReady, { timeout: 60_000 }).toBe(200)
    },
    update(args: string[] = [], more: Record<string, string> = {}) {
      const service = ['--stop', `sh '${control}' stop`, '--start', `sh '${control}' start`]
      // The process that works, and that a script of the service can find.
      const line = `echo $$ >'${folder}/update'; exec "$@"`
      const tool = [process.execPath, join(root, 'bin/opening-bell.mjs'), 'update']
      return ended(
        run(root, ['sh', '-c', line, 'sh', ...tool, ...service, ...args], { ...env, ...more }),
      )
    },
    signUp: async (email: string) => (await visitor(url))(email),
    head: () => git(root, 'rev-parse', 'HEAD'),
    edit(path: string, from: string, to: string) {
      const before = readFileSync(join(root, path), 'utf8')
      expect(before).toContain(from)
      writeFileSync(join(root, path), before.replace(from, to))
    },
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    /** Changes the list, as another program of ours would. */
    change(sql: string) {
      const db = new DatabaseSync(join(dataDir, 'subscribers.sqlite'))
      db.exec(sql)
      db.close()
    },
    /** Who is on the list, and its version. */
    list() {
      const db = new DatabaseSync(join(dataDir, 'subscribers.sqlite'), { readOnly: true })
      const rows = db.prepare(`SELECT data ->> 'email' AS email FROM documents`).all()
      const { user_version } = db.prepare('PRAGMA user_version').get() ?? {}
      db.close()
      return { version: user_version, emails: new Set(rows.map(({ email }) => String(email))) }
    },
    /** Signs up without a pause, until it is told to end. @returns who was thanked. */
    async visitors() {
      const thanked: string[] = []
      let goesOn = true
      let leave = await visitor(url)
      const done = (async () => {
        for (let n = 0; goesOn; n += 1) {
          const email = `visitor-${n}@example.com`
          const status = await leave(email).catch(() => 0)
          if (status === 201) thanked.push(email)
          // The session may be refused meanwhile, and nobody listens for a moment.
          else leave = await visitor(url).catch(() => leave)
        }
      })()
      return async () => {
        goesOn = false
        await done
        return thanked
      }
    },
  }
}
