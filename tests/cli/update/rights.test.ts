/** @module-tag thorough */
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, type TestContext } from 'vitest'
import { refuseOthers, serviceOf } from '../../../src/cli/update/installed.ts'
import { unitFiles } from '../../../src/upkeep/install/service-files.ts'
import { outOfReach } from '../../fixtures/out-of-reach.ts'
import { ended, run } from '../../fixtures/run.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { founder, git, upstream } from './founder.ts'
import { repositories, write } from './repositories.ts'

const SOMEBODY = 4242

/** What makes a checkout somebody else's, and what root is told of it. */
function asRoot(context: TestContext) {
  if (process.geteuid?.() !== 0) context.skip('only root has somebody below it')
  const two = repositories()
  chmodSync(two.folder, 0o755)
  const why = () => {
    try {
      refuseOthers(two.root, join(two.root, '.update'))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(why()).toBeUndefined()
  return { ...two, why }
}

it.for(['.git/config', '.git/hooks', '.git/info', '.git/HEAD', '.git/objects', '.update'])(
  'is not run by root where somebody else may write %s',
  (path, context) => {
    const { root, why } = asRoot(context)
    const place = join(root, path)
    chownSync(place, SOMEBODY, SOMEBODY)
    expect(why()).toBe(
      `${place} does not belong to root: run "chown -h root:root '${place}'" as root. Look first at what was written there: an update runs it as root. Nothing was changed.`,
    )
    chownSync(place, 0, 0)
    chmodSync(place, 0o777)
    expect(why()).toContain(`${place} can be changed by others than root`)
    chmodSync(place, 0o755)
    expect(why()).toBeUndefined()
  },
)

it('is not run by root in the folder of another user, in one of theirs, or with parts elsewhere', (context) => {
  const { folder, root, upstream: from, why } = asRoot(context)
  chownSync(folder, SOMEBODY, SOMEBODY)
  expect(why()).toContain(`${folder} does not belong to root`)
  chownSync(folder, 0, 0)
  chownSync(root, SOMEBODY, SOMEBODY)
  expect(why()).toBe(
    `${root} belongs to user 4242, who alone updates it: sudo -u '#4242' opening-bell update`,
  )
  chownSync(root, 0, 0)
  write(root, '.git/objects/info/alternates', `${join(from, '.git/objects')}\n`)
  expect(why()).toContain('has parts in other folders')
  const worktree = join(folder, 'worktree')
  git(root, 'worktree', 'add', '-q', worktree)
  expect(() => refuseOthers(worktree, join(worktree, '.update'))).toThrow('parts in other folders')
})

it('says in one line where there is no checkout', () => {
  const root = tempDir()
  expect(() => refuseOthers(root, join(root, '.update'))).toThrow(`${root} is no checkout of git`)
})

it('says in one line who may update, and cannot be kept away by somebody who may only read', async (context) => {
  const closed = process.geteuid?.() === 0 ? outOfReach() : 'only root can run it as somebody else'
  if (closed) return context.skip(closed)
  const theirs = await founder(upstream())
  chmodSync(theirs.folder, 0o755)
  const env = { ...theirs.env, HOME: theirs.folder }
  const tool = [process.execPath, 'bin/opening-bell.mjs', 'update', '--check'] as const
  const asNobody = run(theirs.root, tool, env, { uid: SOMEBODY, gid: SOMEBODY })
  expect(await ended(asNobody)).toMatchObject({
    code: 1,
    stderr: `${theirs.root} belongs to user 0, who alone updates it: sudo opening-bell update\n`,
  })
  expect(await theirs.update(['--check'])).toMatchObject({ stderr: 'Nothing is new.\n' })
  expect(statSync(join(theirs.root, '.update/lock')).mode & 0o777).toBe(0o600)
})

it('ends no update, as root, that somebody else could have begun', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root has somebody below it')
  const theirs = await founder(upstream())
  const work = join(theirs.root, '.update')
  const next = join(work, 'next')
  write(work, 'state.json', '{}')
  write(next, 'bin/opening-bell.mjs', 'console.log("It goes on.")')
  mkdirSync(join(next, 'node_modules'))
  expect(await theirs.update()).toMatchObject({ stdout: 'It goes on.\n' })
  for (const place of [work, next]) {
    chownSync(place, SOMEBODY, SOMEBODY)
    const { stdout, stderr } = await theirs.update()
    expect(stdout).toBe('')
    expect(stderr).toContain(`${place} does not belong to root`)
    chownSync(place, 0, 0)
  }
})

it('is systemd’s where its unit runs this folder, by root and with the settings of the service', () => {
  const [root, prefix] = ['/srv/opening-bell', tempDir()]
  for (const folder of ['etc/systemd/system', 'run/systemd/system'])
    mkdirSync(join(prefix, folder), { recursive: true })
  const [unit] = unitFiles({ root, node: '/usr/bin/node' })
  writeFileSync(join(prefix, String(unit?.path)), String(unit?.text))
  const of = (folder: string, commands = {}, hasSettings = false) =>
    serviceOf(folder, { ...commands, hasSettings }, prefix)
  const systemd = {
    stop: 'systemctl stop opening-bell.service',
    start: 'systemctl start --no-block opening-bell.service',
  }
  if (process.geteuid?.() === 0) expect(of(root, {}, true)).toEqual(systemd)
  expect(() => of(root)).toThrow('systemd runs the server: sudo opening-bell update')
  const commands = { stop: 'pm2 stop bell', start: 'pm2 start bell' }
  expect(of('/srv/other', commands)).toEqual(commands)
  for (const given of [{}, { stop: 'x' }])
    expect(() => of('/srv/other', given)).toThrow('--stop "…" --start "…"')
})
