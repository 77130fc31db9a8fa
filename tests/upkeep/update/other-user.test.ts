/** @module-tag long */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { outOfReach } from '../../fixtures/out-of-reach.ts'
import { ended, run } from '../../fixtures/run.ts'
import { killing } from './calling.ts'
import { founder, withUpstream } from './founder.ts'
import { write } from './repositories.ts'

const upstream = withUpstream()

const NOBODY = { uid: 65534, gid: 65534 }

it('says in one line who may update, also where an interrupted one waits to go on', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can run it as somebody else')
  const closed = outOfReach()
  if (closed) return context.skip(closed)
  const ours = upstream()
  const theirs = await founder(ours)
  const before = theirs.head()
  ours.change('src/server/routes/health.ts', '', '// Later\n')
  ours.commit('Say more')
  chmodSync(theirs.folder, 0o755)
  const asNobody = (...args: string[]) => {
    const tool = [process.execPath, 'bin/opening-bell.mjs', 'update', ...args] as const
    return ended(run(theirs.root, tool, { ...theirs.env, HOME: theirs.folder }, NOBODY))
  }
  const line = (place: string) =>
    `This user may not write ${place}, which belongs to root. Run this command as root: begin with sudo, and repeat the settings after that, since sudo drops those before it.\n`
  for (const args of [['--check'], ['--yes']])
    expect(await asNobody(...args)).toEqual({ code: 1, stdout: '', stderr: line(theirs.root) })

  const killed = await theirs.update(['--yes'], killing(theirs.folder, 'before read-tree --reset'))
  expect(killed.code).not.toBe(0)
  for (const args of [[], ['--check'], ['--yes']])
    expect(await asNobody(...args)).toEqual({ code: 1, stdout: '', stderr: line(theirs.root) })
  expect(theirs.head()).toBe(before)
})

it('goes on with no update, as root, that somebody else could have begun', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root has somebody below it')
  const theirs = await founder(upstream())
  const work = join(theirs.root, '.update')
  const next = join(work, 'next')
  write(work, 'state.json', '{ "phase": "forth" }')
  const goOn = 'export const mayGoOn = () => true, goOn = () => console.log("It goes on.")'
  write(next, 'scripts/bootstrap/unfinished-update.mjs', goOn)
  expect(await theirs.update(['--yes'])).toMatchObject({ stdout: 'It goes on.\n' })
  for (const place of [work, next]) {
    chownSync(place, 4242, 4242)
    const { stdout, stderr } = await theirs.update(['--yes'])
    expect(stdout).toBe('')
    expect(stderr).toContain(`${place} does not belong to root`)
    chownSync(place, 0, 0)
    chmodSync(place, 0o777)
    expect(await theirs.update(['--yes'])).toMatchObject({ code: 1, stdout: '' })
    chmodSync(place, 0o755)
  }
})

it('says how to be a user who has no name, in words for a shell', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can give it to somebody else')
  const closed = outOfReach()
  if (closed) return context.skip(closed)
  const theirs = await founder(upstream())
  const how = `Run this command as user 4242: begin with sudo -u '#4242', and repeat the settings after that, since sudo drops those before it.`
  chmodSync(theirs.folder, 0o755)
  chownSync(theirs.root, 4242, 4242)
  const env = { ...theirs.env, HOME: theirs.folder }
  const tool = [process.execPath, 'bin/opening-bell.mjs', 'update', '--check'] as const
  expect(await ended(run(theirs.root, tool, env, NOBODY))).toMatchObject({
    code: 1,
    stderr: `This user may not write ${theirs.root}, which belongs to user 4242. ${how}\n`,
  })
  // Root may write there, and git refuses all the same.
  spawnSync('chown', ['-R', '-h', '4242:4242', theirs.root])
  const noExceptions = { SUDO_UID: '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  expect(await theirs.update(['--check'], noExceptions)).toMatchObject({
    code: 1,
    stderr: `${theirs.root} belongs to user 4242, and git works there for no other user. ${how}\n`,
  })
})
