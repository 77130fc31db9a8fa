import { chmodSync, chownSync, copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../../src/operator/update/command.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const NOBODY = { uid: 65_534, gid: 65_534 }
const src = join(import.meta.dirname, '../../../src')

it('says in one line where the owner of the list may not read the program', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const folder = tempDir()
  const program = join(folder, 'program')
  copyFileSync('/bin/true', program)
  chmodSync(folder, 0o700)
  await expect(runCommand(program, [], { cwd: '/', ...NOBODY })).rejects.toThrow(
    `User 65534, whom the data belongs to, may not read ${program}: move the code and Node`,
  )
  chmodSync(folder, 0o755)
  expect(await runCommand(program, [], { cwd: '/', ...NOBODY })).toMatchObject({ status: 0 })
})

it('says it where they may not read the code', async (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const [closed, dataDir] = [tempDir(), tempDir()]
  cpSync(join(src, 'operator/update'), join(closed, 'operator/update'), { recursive: true })
  cpSync(join(src, 'operator/terminal'), join(closed, 'operator/terminal'), { recursive: true })
  cpSync(join(src, 'shared'), join(closed, 'shared'), { recursive: true })
  chmodSync(closed, 0o700)
  chownSync(dataDir, NOBODY.uid, NOBODY.gid)
  const { listSteps } = await import(join(closed, 'operator/update/owner.ts'))
  await expect(listSteps(dataDir, '/').look()).rejects.toThrow(
    /^User 65534, whom the data belongs to, may not read \S+: move the code and Node to where [^\n]+$/,
  )
})
