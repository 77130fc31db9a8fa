/** @module-tag thorough */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverNodeOptions } from '../../src/shared/server-node-options.mjs'
import { outOfReach } from '../fixtures/out-of-reach.ts'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { writeProject } from './project-fixture.ts'

const INSTALLING = 'Installing packages'
const BUILDING = 'Building the page'
/** What `npm start` calls. */
const START = [
  'scripts/prepared.mjs',
  '--server',
  '--page',
  ...serverNodeOptions,
  'src/server/main.ts',
]

let pristine: string
beforeAll(() => {
  pristine = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  writeProject(pristine)
})
/** A clone that was started for the first time, by two at once, and what they said. */
let started: { readonly folder: string; readonly said: string } | undefined
afterAll(() => {
  for (const folder of [pristine, started?.folder])
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

const freshClone = () => copyOf(pristine)

function copyOf(clone: string): string {
  const root = tempDir()
  cpSync(clone, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  return root
}

async function startedOnce() {
  if (started === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'opening-bell-'))
    cpSync(pristine, folder, { recursive: true })
    const both = await Promise.all([startAndStop(folder), startAndStop(folder)])
    started = { folder, said: both.join('') }
  }
  return started
}

/** Packages and the page are there. */
const startedClone = async () => copyOf((await startedOnce()).folder)

// The tests themselves run with the code of this checkout kept.
const fresh = { npm_config_offline: 'true', NODE_COMPILE_CACHE: undefined }

const npmStart = (root: string, env: NodeJS.ProcessEnv = {}) =>
  run(root, ['npm', 'start'], { ...fresh, ...env })

/** Starts, waits until it serves, stops it, and returns what it printed. */
async function startAndStop(root: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const start = npmStart(root, env)
  await start.printed(/open at port/)
  start.signal('SIGTERM')
  await start.ended
  return start.output()
}

describe('npm start', () => {
  test('installs and builds a fresh clone once, also for two at a time, and later neither', async () => {
    const { said: first, folder } = await startedOnce()
    expect(first.split(INSTALLING)).toHaveLength(2)
    expect(first.split(BUILDING)).toHaveLength(2)
    // The code was kept before a server started that would have found none.
    expect(readFileSync(join(folder, 'loaded'), 'utf8')).toBe('once ')
    expect(first).not.toContain('chatter')
    expect(first).toMatch(/^a note for the operator$/m)

    const second = await startAndStop(copyOf(folder))
    expect(second).not.toContain(INSTALLING)
    expect(second).not.toContain(BUILDING)
  })

  const oldNode = { NODE_OPTIONS: '--import=data:text/javascript,delete%20process.execve' }
  test.for([
    { how: 'Ctrl-C, which npm passes on once more', env: {}, stop: 'signalGroup' as const },
    { how: 'SIGTERM to npm', env: {}, stop: 'signal' as const },
    { how: 'Ctrl-C under a Node that stands between', env: oldNode, stop: 'signalGroup' as const },
    { how: 'SIGTERM under a Node that stands between', env: oldNode, stop: 'signal' as const },
  ])(
    'finishes what is in flight and ends with 0 after $how',
    { tags: 'long' },
    async ({ env, stop }) => {
      const start = npmStart(await startedClone(), env)
      const [, port] = await start.printed(/open at port (\d+)/)
      const answer = fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })
      await start.printed(/in flight/)
      start[stop](stop === 'signal' ? 'SIGTERM' : 'SIGINT')
      expect(await (await answer).text()).toContain('done')
      expect(await start.ended).toBe(0)
    },
  )

  test('serves as somebody else than the owner of the code, and says what only the owner can do', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can play two users')
    const closed = outOfReach()
    if (closed) return context.skip(closed)
    const root = await startedClone()
    chmodSync(root, 0o755)
    const nobody = { uid: 65_534, gid: 65_534 }
    const start = (PUBLIC_URL: string) =>
      run(root, [process.execPath, ...START], { PUBLIC_URL }, nobody)

    const served = start('')
    await served.printed(/open at port/)
    expect(await served.end()).toBe(0)
    expect(served.output()).toMatch(/^open at port \d+\n$/)

    const other = start('https://other.example')
    expect(await other.ended).toBe(1)
    expect(other.output()).toMatch(
      /^The page is not built for PUBLIC_URL=https:\/\/other\.example.*"PUBLIC_URL=https:\/\/other\.example npm run build".*\n$/,
    )
  })

  test('shows all that a failed build printed, and ends with 1', { tags: 'long' }, async () => {
    const start = npmStart(freshClone(), { BREAK_BUILD: '1' })
    expect(await start.ended).toBe(1)
    expect(start.output()).toContain('bundler chatter')
    expect(start.output()).toContain('the bundler says no')
    expect(start.output()).not.toContain('open at')
  })

  test('says in one line what to do without a lock file or without npm', async () => {
    const root = freshClone()
    const withoutNpm = run(root, [process.execPath, ...START], {
      PATH: '',
      npm_execpath: '',
    })
    expect(await withoutNpm.ended).toBe(1)
    expect(withoutNpm.output()).toMatch(/^npm was not found.*nodejs\.org.*$/m)

    rmSync(join(root, 'package-lock.json'))
    const withoutLock = run(root, [process.execPath, ...START])
    expect(await withoutLock.ended).toBe(1)
    expect(withoutLock.output()).toMatch(/^package-lock\.json is missing.*git checkout.*$/m)
  })
})

test('a folder whose path the build would misread is refused in one line, before anything is installed', async () => {
  for (const sign of ['#', '?', '"', '*']) {
    const root = join(tempDir(), `a${sign}b`)
    cpSync(pristine, root, { recursive: true })
    const start = run(root, [process.execPath, ...START])
    expect(await start.ended).toBe(1)
    expect(start.output()).toBe(
      `The page cannot be built in ${root}: the path has a ${sign}. Give that folder another name, then start again.\n`,
    )
    expect(existsSync(join(root, 'node_modules'))).toBe(false)
  }
})

test('npm start installs all the same, whatever the person has set for npm, apart from the workspace around it', async () => {
  const others = {
    npm_config_engine_strict: 'true',
    npm_config_cpu: 'other',
    npm_config_os: 'other',
    npm_config_libc: 'other',
    npm_config_omit: 'optional',
    npm_config_dry_run: 'true',
    npm_config_install_strategy: 'linked',
    npm_config_package_lock_only: 'true',
  }
  const outer = tempDir()
  const root = join(outer, 'page')
  cpSync(pristine, root, { recursive: true })
  const its = { name: 'outer', private: true, workspaces: ['*'] }
  writeFileSync(join(outer, 'package.json'), JSON.stringify(its))
  expect(await startAndStop(root, others)).toContain('open at port')
  expect(existsSync(join(root, 'node_modules/candle'))).toBe(true)
  expect(existsSync(join(outer, 'node_modules'))).toBe(false)
})

test('npm run build installs what is missing, and builds by Node 24 where the machine has an older one', async () => {
  const root = freshClone()
  // As Debian 13: an old Node comes first, and its npm makes no link to the newer one.
  const old = tempDir()
  const refuses = 'case "$1" in *.ts) echo "ERR_UNKNOWN_FILE_EXTENSION"; exit 1;; esac'
  const script = `#!/bin/sh\n${refuses}\nexec '${process.execPath}' "$@"\n`
  writeFileSync(join(old, 'node'), script, { mode: 0o755 })
  const PATH = [old, dirname(process.execPath), process.env.PATH].join(delimiter)
  const build = run(root, ['npm', 'run', 'build'], { ...fresh, PATH })
  expect(await build.ended, build.output()).toBe(0)
  expect(build.output()).toContain(INSTALLING)
  expect(existsSync(join(root, 'dist'))).toBe(true)
  // Nothing but the packages was prepared: the page is what the script itself builds.
  expect(build.output()).not.toContain(BUILDING)
})
