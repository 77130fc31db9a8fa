import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'
import { sourcesStamp } from '../../../scripts/bootstrap/page-build.mjs'
import { freePort } from '../../../scripts/free-port.ts'
import { newestListVersion } from '../../../src/store/list-at-rest.ts'
import { keptCode } from '../../fixtures/kept-code.ts'
import { isRunning } from '../../fixtures/processes.ts'
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
/** The number of the step that a release in these tests has more. */
const next = newestListVersion + 1
export const MIGRATION = 'src/store/sqlite/later.ts'

/** What stands in the place of a build, which takes seconds: the page stays as it is. */
const build = `import { writeFileSync } from 'node:fs'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
writeFileSync(STAMP, sourcesStamp('.'))
`

const later = `import type { Step } from './versions.ts'

export const later: Step = {
  version: ${next},
  why: 'Something is kept that was not known before.',
  up(db) {
    db.exec("CREATE TABLE later (what TEXT NOT NULL) STRICT; ALTER TABLE outbox ADD COLUMN later TEXT")
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

/** What each test has a clone of. */
function released(): string {
  const folder = mkdtempSync(join(tmpdir(), 'opening-bell-upstream-'))
  for (const path of TRACKED)
    cpSync(join(PROJECT, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isServed,
    })
  const product = join(folder, 'product.config.ts')
  writeFileSync(product, readFileSync(product, 'utf8').replace(/appId: '.*'/, "appId: 'test'"))
  writeFileSync(join(folder, 'scripts/build.ts'), build)
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'What was released')
  // In one file, which each clone links, in the place of one for each of ours.
  git(folder, 'repack', '-adq')
  return folder
}

/**
 * A repository as ours, with this code in it, of the appId `test`. A file of it lies in its folder once
 * it is changed: to write all of them takes longer than many an update of these tests. What they are
 * clones of is made once for a file of tests, at the top of which this is to be called.
 *
 * @returns makes one, for a test.
 */
export function withUpstream() {
  let template: string | undefined
  afterAll(() => {
    if (template !== undefined) rmSync(template, { recursive: true, force: true })
  })
  return () => {
    template ??= released()
    return upstreamFrom(template)
  }
}

function upstreamFrom(template: string) {
  const folder = join(tempDir(), 'upstream')
  git(tmpdir(), 'clone', '-q', '--no-checkout', template, folder)
  git(folder, 'read-tree', 'HEAD')

  /** Changes a file, by text. */
  function change(path: string, from: string | undefined, to: string) {
    const file = join(folder, path)
    if (from !== undefined && !existsSync(file)) git(folder, 'checkout-index', '-q', path)
    const before = from === undefined ? '' : readFileSync(file, 'utf8')
    if (from !== undefined) expect(before).toContain(from)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, from === undefined ? to : before.replace(from, to))
    git(folder, 'add', path)
  }
  return {
    folder,
    change,
    /** From now on, on the port of its own it never says that it is ready. It takes sign-ups all the same. */
    neverReady() {
      change(
        'src/server/routes/health.ts',
        `app.get('/readyz', async (_request, reply) => {`,
        `app.get('/readyz', async (_request, reply) => {
          if (process.env.PORT !== '0') throw new Error('never')`,
      )
      return this.commit('Never be ready')
    },
    commit(message: string) {
      git(folder, 'commit', '-q', '-m', message)
      return git(folder, 'rev-parse', 'HEAD')
    },
    revert(commit: string) {
      git(folder, 'revert', '--no-edit', commit)
    },
    /** A version with one step more. */
    release(message = 'Keep something new') {
      change(MIGRATION, undefined, later)
      const all = 'src/store/sqlite/versions.ts'
      change(all, 'readonly Step[] = []', 'readonly Step[] = [later]')
      change(all, 'import type', `import { later } from './later.ts'\nimport type`)
      return this.commit(message)
    },
  }
}

/** A founder's machine, with a clone of it. @param settings of the server, beside the usual ones. */
export async function founder(
  { folder: from }: { folder: string },
  settings: Record<string, string> = {},
) {
  const folder = tempDir()
  const root = join(folder, 'site')
  git(folder, 'clone', '-q', from, root)
  linkPackages(root)
  writeSiteFixture(root)
  writeFileSync(join(root, 'dist/built-from'), sourcesStamp(root, ''))
  const dataDir = join(root, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const port = String(await freePort())
  const pid = join(folder, 'pid')
  const control = join(folder, 'control.sh')
  writeFileSync(
    control,
    `case $1 in
start) if [ "$KILLED_AT_START" ]; then
  p=$PPID; until grep -q update-main /proc/$p/cmdline; do p=$(ps -o ppid= -p $p | tr -d ' '); done
  kill -9 $p; exit 1
fi
cd '${root}'; setsid '${process.execPath}' src/server/main.ts >>'${folder}/log' 2>&1 & echo $! >'${pid}';;
stop) p=$(cat '${pid}'); kill $p
while read -r _ _ state _ </proc/$p/stat && [ "$state" != Z ]; do sleep 0.02; done 2>/dev/null;;
esac
`,
  )
  const env: Record<string, string> = {
    PORT: port,
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMIT: '0',
    BACKUP_TO: '',
    LINK_KEY: 'a key of these tests, and only of them',
    PUBLIC_URL: '',
    CONFIRM: '',
    STORE: '',
    ...keptCode(folder),
    KEPT_CODE: join(folder, '.code'),
    NODE_OPTIONS: `--require=${join(PROJECT, 'tests/fixtures/keep-code.cjs')}`,
    npm_execpath: '',
    ...settings,
  }
  const serverPid = () => Number(readFileSync(pid, 'utf8'))
  const ctl = (verb: string) =>
    spawnSync('sh', [control, verb], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  onTestFinished(() => {
    if (existsSync(pid) && isRunning(serverPid())) process.kill(serverPid(), 'SIGKILL')
  })
  const arguments_ = (args: string[]) => [
    ...['update', ...args],
    ...(existsSync(pid)
      ? ['--stop', `sh '${control}' stop`, '--start', `sh '${control}' start`]
      : []),
  ]
  const begin = (args: string[], more: Record<string, string> = {}) =>
    run(root, [process.execPath, join(root, 'bin/opening-bell.mjs'), ...arguments_(args)], {
      ...env,
      ...more,
    })

  return {
    folder,
    root,
    dataDir,
    url,
    env,
    begin,
    serverPid,
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    /** Starts the server, as whatever supervises it. */
    async start() {
      ctl('start')
      await expect
        .poll(
          () =>
            fetch(`${url}/readyz`).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 60_000 },
        )
        .toBe(200)
    },
    /** The same, without a wait. */
    spawn: () => ctl('start'),
    stop: () => ctl('stop'),
    update: (args: string[] = ['--yes'], more: Record<string, string> = {}) =>
      ended(begin(args, more)),
    signUp: async (email: string) => (await visitor(url))(email),
    head: () => git(root, 'rev-parse', 'HEAD'),
    edit: (path: string, from: string, to: string) => {
      const file = join(root, path)
      const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
      expect(before).toContain(from)
      writeFileSync(file, before.replace(from, to))
    },
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
  }
}
