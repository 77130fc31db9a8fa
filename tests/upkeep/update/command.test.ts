import { chmodSync, chownSync, copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../../src/upkeep/update/command.ts'
import { outOfReach } from '../../fixtures/out-of-reach.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { worded } from '../worded.ts'

const NOBODY = { uid: 65_534, gid: 65_534 }
const src = join(import.meta.dirname, '../../../src')

it('says in one line where the owner of the list may not read the program', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const folder = tempDir()
  const program = join(folder, 'program')
  copyFileSync('/bin/true', program)
  chmodSync(folder, 0o700)
  await expect(worded(runCommand(program, [], { cwd: '/', ...NOBODY }))).rejects.toThrow(
    `User 65534, who owns the data, may not read ${program}: move the code and Node`,
  )
  chmodSync(folder, 0o755)
  expect(await runCommand(program, [], { cwd: '/', ...NOBODY })).toMatchObject({ status: 0 })
})

it('says it where they may not read the code', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const closedNode = outOfReach([process.execPath])
  if (closedNode) context.skip(closedNode)
  const [closed, dataDir] = [tempDir(), tempDir()]
  for (const room of ['upkeep', 'shared'])
    cpSync(join(src, room), join(closed, room), { recursive: true })
  chmodSync(closed, 0o700)
  chownSync(dataDir, NOBODY.uid, NOBODY.gid)
  const { listSteps } = await import(join(closed, 'upkeep/update/owner.ts'))
  await expect(listSteps(dataDir, '/').look()).rejects.toMatchObject({
    why: {
      code: 'may-not-reach',
      uid: NOBODY.uid,
      path: join(closed, 'upkeep/update/list-step.ts'),
    },
  })
})
