/** @module-tag thorough */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { isLong } from '../../torture/form.ts'
import { founder, git, MIGRATION, upstream } from './founder.ts'

const { emailPlaceholder: WORDS } = product
const OURS = 'ours@example.net'

/** A founder with a running server, commits and edits of their own. */
async function running() {
  const ours = upstream()
  const theirs = await founder(ours)
  theirs.edit('product.config.ts', WORDS, OURS)
  await theirs.start()
  expect(await theirs.signUp('before@example.com')).toBe(201)
  return { ours, theirs, before: theirs.head() }
}

type Running = Awaited<ReturnType<typeof running>>['theirs']

/** Nothing of an update is left over, and the founder's edits are as they were. */
function expectWhole(theirs: Running) {
  expect(readdirSync(join(theirs.root, '.update'))).toEqual(['lock'])
  expect(readdirSync(theirs.dataDir).filter((name) => /update/.test(name))).toEqual([])
  expect(theirs.read('product.config.ts')).toContain(OURS)
  const status = git(theirs.root, 'status', '--porcelain', 'src', 'product.config.ts')
  expect(status).toBe('M product.config.ts')
}

it('brings a running server up, with the founder’s commits and edits, and everybody', async () => {
  const { ours, theirs, before } = await running()
  theirs.edit('index.html', '<html', '<html data-ours')
  git(theirs.root, 'commit', '-qm', 'Ours', 'index.html')
  writeFileSync(join(theirs.root, 'brand/second.svg'), '<svg/>')
  const newest = ours.release('Keep something new')
  const looked = await theirs.update(['--check'])
  expect(looked.stderr).toContain(`Commit ${newest}, refs/heads/main of origin:\n`)
  expect(looked.stderr).toMatch(/^ {2}[0-9a-f]+ Keep something new$/m)
  expect(looked.stderr).toContain('and kept:\n M product.config.ts\n?? brand/second.svg\n')
  expect(looked.code).toBe(0)
  expect(existsSync(join(theirs.root, MIGRATION))).toBe(false)

  const end = await theirs.visitors()
  const { code, stderr } = await theirs.update()
  expect(stderr).toMatch(/[0-9a-f]{9} runs, and is ready\.\n$/)
  expect(code).toBe(0)
  expect(await theirs.signUp('after@example.com')).toBe(201)
  const thanked = await end()
  const { version, emails } = theirs.list()
  expect(version).toBe(2)
  expect(thanked.length).toBeGreaterThan(2)
  expect(thanked.filter((email) => !emails.has(email))).toEqual([])
  expect([...emails]).toEqual(expect.arrayContaining(['before@example.com', 'after@example.com']))
  expect(theirs.head()).not.toBe(before)
  expect(git(theirs.root, 'merge-base', 'HEAD', newest)).toBe(newest)
  expect(theirs.read('index.html')).toContain('data-ours')
  expect(existsSync(join(theirs.root, 'brand/second.svg'))).toBe(true)
  expectWhole(theirs)
  expect((await theirs.update()).stderr).toBe('Nothing is new.\n')
})

it('goes back by itself from a version that is not ready, and nobody who was thanked is lost', async () => {
  const { ours, theirs, before } = await running()
  ours.release()
  ours.neverReady()
  const end = await theirs.visitors()
  const { code, stderr } = await theirs.update(['--ready-within', '10'])
  expect(stderr).toContain('/readyz answers 500\n')
  expect(stderr).toMatch(/[0-9a-f]{9} runs again, as before. No subscriber was lost.\n$/)
  expect(code).toBe(1)
  expect(await theirs.signUp('after@example.com')).toBe(201)
  const thanked = await end()
  const { version, emails } = theirs.list()
  expect(version).toBe(1)
  expect(thanked.filter((email) => !emails.has(email))).toEqual([])
  expect(theirs.head()).toBe(before)
  expect(existsSync(join(theirs.root, MIGRATION))).toBe(false)
  expectWhole(theirs)
})

/** Where an update is killed that is then taken back. */
const closed = [
  ...['before stop', 'after stop', 'before --git-path index.lock'],
  ...['before reset -q --hard', 'after reset -q --hard'],
  ...['after symbolic-ref HEAD refs', 'before start', 'after start', 'before rm -f'],
]

it('ends an update that was killed, at whichever step, and nobody who was thanked is lost', {
  timeout: 900_000,
}, async () => {
  const { ours, theirs, before } = await running()
  const newest = ours.release()
  const end = await theirs.visitors()
  const killedAt = (KILL_AT: string) => theirs.update([], { KILL_AT })
  for (const at of isLong ? closed : ['after stop', 'after reset -q --hard', 'before rm -f']) {
    const killed = await killedAt(at)
    expect(killed.code, `${at}\n${killed.stderr}`).not.toBe(0)
    const { code, stderr } = await theirs.update()
    expect({ at, stderr, code }).toMatchObject({ code: 1 })
    expect(stderr, at).toContain('No subscriber was lost.')
    expect(theirs.head(), at).toBe(before)
    expect(theirs.list().version, at).toBe(1)
    expectWhole(theirs)
  }
  // From here on, the new version is open.
  const killed = await killedAt('after rm -f')
  expect(killed.code, killed.stderr).not.toBe(0)
  const { code, stderr } = await theirs.update()
  expect({ stderr, code }).toMatchObject({ code: 0 })
  expect(stderr).toContain('An update was interrupted.')
  expect(theirs.head()).toBe(newest)
  expectWhole(theirs)
  const thanked = await end()
  const { emails } = theirs.list()
  expect(thanked.length).toBeGreaterThan(10)
  expect(thanked.filter((email) => !emails.has(email))).toEqual([])
})

it('touches nothing where somebody edits while it builds, or announces, and makes a back-up before', async () => {
  const { ours, theirs, before } = await running()
  const [edits, build] = [
    `appendFileSync('../../product.config.ts', '// Edited')`,
    'scripts/build.ts',
  ]
  ours.change(build, 'import {', `import { appendFileSync } from 'node:fs'\n${edits}\nimport {`)
  ours.commit('Build slowly')
  expect((await theirs.update()).stderr).toContain('Something changed here meanwhile')
  expect(theirs.head()).toBe(before)
  ours.change(build, edits, '')
  ours.release()
  const until = new Date(Date.now() + 1_800_000).toISOString()
  const lock = `INSERT INTO runs VALUES ('launch', 1, 'me', 'here', 1, '${until}', '{}')`
  theirs.change(lock)
  const busy = await theirs.update()
  expect(busy.stderr).toContain('an announcement is under way: wait for its end, or stop it, first')
  expect(busy.code).toBe(1)
  expect(theirs.head()).toBe(before)
  expect(await theirs.signUp('between@example.com')).toBe(201)
  theirs.change('DELETE FROM runs')
  const BACKUP_TO = join(theirs.folder, 'copies')
  expect(await theirs.update([], { BACKUP_TO })).toMatchObject({ code: 0 })
  expect(readdirSync(BACKUP_TO)).toHaveLength(1)
})
