/** @module-tag long */
import { chownSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { founder, git, withUpstream } from './founder.ts'

const upstream = withUpstream()

it('runs nothing of a tag that has the name of the branch, of an unsigned commit, or of a lesser user', async () => {
  const ours = upstream()
  const theirs = await founder(ours)
  const ran = join(theirs.folder, 'ran')
  git(ours.folder, 'switch', '-q', '-c', 'anybodys')
  ours.change(
    'scripts/prepare.mjs',
    undefined,
    `await import('node:fs').then((fs) => fs.writeFileSync('${ran}', ''))\n`,
  )
  const evil = ours.commit('Evil')
  git(ours.folder, 'tag', 'origin/main', evil)
  git(ours.folder, 'switch', '-q', 'main')
  for (const args of [['--check'], ['--yes', '--from', 'origin/main']])
    expect(await theirs.update(args)).toMatchObject({ code: 0, stderr: 'Nothing is new.\n' })

  git(ours.folder, 'merge', '-q', 'anybodys')
  const signers = join(theirs.folder, 'signers')
  writeFileSync(
    signers,
    'ada@example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGrSNLiaHVrsbOWlSzRPvKAVmC2RVKJfhSL5VVjvGmyE\n',
  )
  expect(await theirs.update(['--yes', '--signed', signers])).toEqual({
    code: 1,
    stdout: '',
    stderr: `Commit ${evil} of origin/main is not signed by a key in ${signers}. Nothing was changed.\n`,
  })
  expect((await theirs.update(['--check'])).stderr).toContain(
    `From origin/main, commit ${evil}\nNew:\n`,
  )

  // Only root has a lesser user.
  if (process.geteuid?.() === 0) {
    const config = join(theirs.root, '.git/config')
    chownSync(config, 4242, 4242)
    expect((await theirs.update(['--yes'])).stderr).toContain(`${config} does not belong to root: `)
  }
  expect(existsSync(ran)).toBe(false)
})
