/** @module-tag thorough */
import { chmodSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ended, run } from '../../fixtures/run.ts'
import { killing } from './calling.ts'
import { founder, upstream } from './founder.ts'

const NOBODY = { uid: 65534, gid: 65534 }

it('says in one line who may update, also where an interrupted one waits to go on', async (context) => {
  if (process.geteuid?.() !== 0) context.skip('only root can run it as somebody else')
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
    `This user may not write ${place}, which belongs to root. Run the same command as root, with sudo.\n`
  for (const args of [['--check'], ['--yes']])
    expect(await asNobody(...args)).toEqual({ code: 1, stdout: '', stderr: line(theirs.root) })

  const killed = await theirs.update(['--yes'], killing(theirs.folder, 'before read-tree --reset'))
  expect(killed.code).not.toBe(0)
  for (const args of [[], ['--check'], ['--yes']])
    expect(await asNobody(...args)).toEqual({ code: 1, stdout: '', stderr: line(theirs.root) })
  expect(theirs.head()).toBe(before)
})
