/** @module-tag thorough */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { operator } from '../../fixtures/operator.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

let root: string
let copy: string

/** What the operator kept apart from the copies. */
const sealKey = () => ({
  BACKUP_SEAL_KEY: readFileSync(file('old', 'seal.key')).toString('base64'),
})

/** The tool on one of two machines. */
function tool(machine: string, args: string[], env: Record<string, string> = {}) {
  return operator(args, {
    cwd: root,
    env: {
      LINK_KEY: '',
      npm_lifecycle_event: '',
      NO_COLOR: '1',
      DATA_DIR: join(root, machine),
      BACKUP_TO: join(root, 'copies'),
      ...env,
    },
  })
}

const file = (machine: string, name: string) => join(root, machine, name)

beforeEach(async () => {
  root = tempDir()
  for (const folder of ['old', 'new', 'copies']) mkdirSync(join(root, folder), { mode: 0o700 })
  writeFileSync(file('old', 'session.key'), 'A'.repeat(43), { mode: 0o600 })
  writeFileSync(join(root, 'list.csv'), 'email\nada@example.com\ncharles@example.com\n')
  await tool('old', ['import', 'list.csv'])
  await tool('old', ['unsubscribe', 'charles@example.com'])
  expect(await tool('old', ['backup', '--keep', '7,4,12'])).toMatchObject({ code: 0, stdout: '' })
  copy = join('copies', readdirSync(join(root, 'copies'))[0] ?? '')
})

it('a nightly copy brings back list and keys on another machine', async () => {
  const look = await tool('new', ['restore', copy, '--check'], sealKey())
  expect(look.code).toBe(0)
  expect(look.stderr).toContain('is readable: 2 people, 0 announcements.')
  expect(look.stderr).toContain('It has link.key and session.key.')
  // A look leaves no key that would be in the way.
  expect(readdirSync(join(root, 'new')).filter((name) => name.endsWith('.key'))).toEqual([])
  // Nor does a command that only looks, where there is no list yet.
  const early = await tool('new', ['status'])
  expect([early.code, early.stdout]).toEqual([1, ''])
  expect(early.stderr).toContain('There is no list in')
  // Nor does a file that is not there, nor a dry run, which needs a list to compare with.
  expect((await tool('new', ['import', 'nowhere.csv'])).stderr).toBe(
    'There is no file nowhere.csv\n',
  )
  const dry = await tool('new', ['import', 'list.csv', '--dry-run'])
  expect(dry.stdout + dry.stderr).toContain('2 would be added, 0 known, 0 refused.')
  expect(readdirSync(join(root, 'new')).filter((name) => name.endsWith('.key'))).toEqual([])

  const restored = await tool('new', ['restore', copy], sealKey())
  expect(restored.code).toBe(0)
  expect(restored.stderr).toContain('The copy’s link.key and session.key are in use again.')
  for (const name of ['link.key', 'session.key', 'seal.key']) {
    expect(readFileSync(file('new', name))).toEqual(readFileSync(file('old', name)))
    expect(statSync(file('new', name)).mode & 0o777).toBe(0o600)
  }
  expect((await tool('new', ['find', 'charles@example.com'])).stdout).toContain('unsubscribed')
  // The same again changes nothing.
  expect((await tool('new', ['restore', copy])).stderr).not.toContain('Put back')
})

it('a nightly copy brings back the keys of invitations, the private one too', async () => {
  const { stdout: publicKey } = await tool('old', ['invitations', '--jwks'])
  expect(await tool('old', ['backup', '--keep', '7,4,12'])).toMatchObject({ code: 0 })
  const newest = join('copies', readdirSync(join(root, 'copies')).toSorted().at(-1) ?? '')
  const restored = await tool('new', ['restore', newest], sealKey())
  expect(restored.stderr).toContain(
    'The copy’s link.key, session.key and invitation.key are in use again.',
  )
  expect(readFileSync(file('new', 'invitation.key'))).toEqual(
    readFileSync(file('old', 'invitation.key')),
  )
  expect(statSync(file('new', 'invitation.key')).mode & 0o777).toBe(0o600)
  expect((await tool('new', ['invitations', '--jwks'])).stdout).toBe(publicKey)
})

it('of a copy without the key, no other one is made in its place', async () => {
  await tool('old', ['invitations', '--jwks'])
  expect((await tool('old', ['backup', '--output', 'plain.sqlite'])).code).toBe(0)
  copyFileSync(file('old', 'link.key'), file('new', 'link.key'))
  expect((await tool('new', ['restore', 'plain.sqlite'], sealKey())).code).toBe(0)
  const { code, stderr } = await tool('new', ['invitations', '--jwks'])
  expect(code).toBe(1)
  expect(stderr).toContain('Put it back from a back-up.')
  expect(existsSync(file('new', 'invitation.key'))).toBe(false)
})

it('never replaces a key, and says what to do', async () => {
  writeFileSync(file('new', 'link.key'), Buffer.alloc(32, 7), { mode: 0o600 })
  const { code, stderr } = await tool('new', ['restore', copy])
  expect(code).toBe(1)
  expect(stderr).toMatch(/another link\.key than .*never replaced.*move everything in/)
  expect(readFileSync(file('new', 'link.key'))).toEqual(Buffer.alloc(32, 7))
  expect(existsSync(file('new', 'session.key'))).toBe(false)
})

/** Changes the copy, and has it refused on a new machine, to which the right one then comes back. */
async function isRefusedAndLeavesNothing(change: string, why: string) {
  const wrong = join(root, 'wrong.sqlite')
  copyFileSync(join(root, copy), wrong)
  const db = new DatabaseSync(wrong)
  db.exec(change)
  db.close()
  expect((await tool('new', ['restore', wrong, '--check'])).stderr).toContain(why)
  expect(await tool('new', ['restore', wrong])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(why),
  })
  expect(readdirSync(join(root, 'new'))).toEqual([])
  expect(await tool('new', ['restore', copy], sealKey())).toMatchObject({ code: 0 })
  expect(readFileSync(file('new', 'link.key'))).toEqual(readFileSync(file('old', 'link.key')))
}

it('takes no key of another product’s copy', () =>
  isRefusedAndLeavesNothing(
    `UPDATE notes SET data = '"another"' WHERE name = 'appId'`,
    'of the appId "another"',
  ))

it('takes no key that is none, and makes none in its place', () =>
  isRefusedAndLeavesNothing(
    "UPDATE copiedKeys SET bytes = x'0102030405' WHERE name = 'link.key'",
    'The copy needs the LINK_KEY that it was made with: put that link.key back.',
  ))

it('leaves another session.key as it is: visitors only get a new session', async () => {
  writeFileSync(file('new', 'session.key'), 'B'.repeat(43), { mode: 0o600 })
  const restored = await tool('new', ['restore', copy], sealKey())
  expect(restored.stderr).toContain('The copy’s link.key is in use again.')
  expect(readFileSync(file('new', 'session.key'), 'utf8')).toBe('B'.repeat(43))
})

it('with LINK_KEY set, that one counts, and no file of it is made', async () => {
  const LINK_KEY = `base64:${readFileSync(file('old', 'link.key')).toString('base64')}`
  expect((await tool('new', ['restore', copy], { LINK_KEY, ...sealKey() })).code).toBe(0)
  expect(existsSync(file('new', 'link.key'))).toBe(false)
})

it('says how old a copy is, and that there is a newer one', async () => {
  copyFileSync(join(root, copy), join(root, 'older.sqlite'))
  await tool('old', ['unsubscribe', 'ada@example.com'])
  expect((await tool('old', ['backup', '--keep', '7,4,12'])).code).toBe(0)
  const older = await tool('new', ['restore', 'older.sqlite'], sealKey())
  expect(older.stderr).toMatch(/^The copy was made \d{4}-\d\d-\d\d \d\d:\d\d\.$/m)
  expect(older.stderr).toMatch(/THERE IS A NEWER COPY, of .* restore that copy as well/)
  const newer = join('copies', readdirSync(join(root, 'copies')).toSorted().at(-1) ?? '')
  expect((await tool('new', ['restore', newer], sealKey())).stderr).not.toContain('NEWER')
  expect((await tool('new', ['find', 'ada@example.com'])).stdout).toContain('unsubscribed')
  // One that says it is of a time to come proves nothing.
  const db = new DatabaseSync(file('new', 'subscribers.sqlite'))
  db.exec(
    "UPDATE keptCopies SET at = '2999-01-01T00:00:00.000Z' WHERE at = (SELECT max(at) FROM keptCopies)",
  )
  db.close()
  expect((await tool('new', ['restore', 'older.sqlite'], sealKey())).stderr).not.toContain('NEWER')
})

it('says of a whole copy that the list is held, and why, when it was before', async () => {
  const forged = join(root, 'forged.sqlite')
  copyFileSync(join(root, copy), forged)
  const db = new DatabaseSync(forged)
  db.exec("UPDATE persons SET data = json_remove(data, '$.noes.unsubscribed')")
  db.close()
  expect((await tool('new', ['restore', forged, '--check'], sealKey())).stderr).toContain(
    'It does not hold what it held when it was made',
  )
  expect((await tool('new', ['restore', forged], sealKey())).code).toBe(3)
  const isHeld = { code: 3, stderr: expect.stringMatching(/seal is right.*\nLOOK: no announce/) }
  expect(await tool('new', ['restore', copy], sealKey())).toMatchObject(isHeld)
  // A copy of the held list is whole, and nothing of it stays out.
  expect((await tool('new', ['backup', '--output', 'held.sqlite'], sealKey())).code).toBe(0)
  mkdirSync(join(root, 'third'), { mode: 0o700 })
  copyFileSync(file('new', 'link.key'), file('third', 'link.key'))
  const third = await tool('third', ['restore', 'held.sqlite'], sealKey())
  expect(third).toMatchObject(isHeld)
  expect(third.stderr).not.toContain('stay out')
})

it('forgets somebody where BACKUP_TO is no folder, and has no fault', async () => {
  writeFileSync(join(root, 'no-folder'), '')
  const BACKUP_TO = join(root, 'no-folder')
  expect(await tool('old', ['forget', 'ada@example.com'], { BACKUP_TO })).toMatchObject({
    code: 0,
    stdout: 'The subscriber is forgotten.\n',
  })
})

it('backup says how it is called', async () => {
  expect(await tool('old', ['backup'])).toMatchObject({ code: 2 })
  expect((await tool('old', ['backup', '--keep', '7,4,12', '--rehearse'])).code).toBe(2)
  expect((await tool('old', ['backup', '--rehearse'])).code).toBe(0)
  const without = await tool('old', ['backup', '--keep', '1,0,0'], { BACKUP_TO: '' })
  expect(without.stderr).toBe('Name the folder for back-ups, with --to or BACKUP_TO.\n')
  // What is refused makes no key either.
  await tool('new', ['import', 'list.csv'])
  expect((await tool('new', ['backup', '--keep', '1,0,0'], { BACKUP_TO: '' })).code).toBe(2)
  expect((await tool('new', ['backup', '--keep', '7', '--to', 'to'])).code).toBe(2)
  expect(existsSync(file('new', 'seal.key'))).toBe(false)
  const forgotten = await tool('old', ['forget', 'ada@example.com'])
  expect(forgotten.stderr).toMatch(
    /^1 back-up in .* may still have the address\. .* is removed on \d{4}-/,
  )
})

it('without the key of the seal, brings back the list alone, and holds it until the operator has looked', async () => {
  await tool('old', ['invitations', '--jwks'])
  await tool('old', ['open', 'https://app.example.com'])
  await tool('old', ['backup', '--keep', '7,4,12'])
  const newest = join('copies', readdirSync(join(root, 'copies')).toSorted().at(-1) ?? '')
  const keys = () => readdirSync(join(root, 'new')).filter((name) => name.endsWith('.key'))

  const restored = await tool('new', ['restore', newest])
  expect(restored.code).toBe(3)
  expect(restored.stderr).toContain('2 brought back')
  expect(restored.stderr).toContain('Its seal cannot be checked: the key is not here,')
  expect(keys()).toEqual(['link.key'])
  expect((await tool('new', ['open'])).stdout).toContain('coming soon')
  expect((await tool('new', ['status'])).stdout).toContain('LOOK: no announcement leaves.')
  expect((await tool('new', ['find', 'charles@example.com'])).stdout).toContain('unsubscribed')

  const believed = await tool('new', ['restore', newest, '--list-is-right'])
  expect(believed.code).toBe(0)
  expect(keys()).toEqual(['invitation.key', 'link.key', 'session.key'])
  expect((await tool('new', ['open'])).stdout).toContain('https://app.example.com')
  expect((await tool('new', ['status'])).stdout).not.toContain('LOOK: no announcement leaves.')
})

it('takes the copies of its own list for its own, and no others', async () => {
  writeFileSync(join(root, 'copies', 'opening-bell.2020-01-01T03-10-00Z.sqlite'), 'theirs')
  const restored = await tool('new', ['restore', copy], sealKey())
  expect(restored.stderr).toMatch(/1 copy in .* is of this list: backup --keep counts it again/)
  // A day later, as the rule has it.
  const forgotten = await tool('new', ['forget', 'ada@example.com'])
  expect(forgotten.stderr).toMatch(/1 back-up in .* from before may still have the address\./)
  expect(forgotten.stderr).toMatch(/1 other file in .* may have the address too/)
  expect(await tool('new', ['backup', '--keep', '1,0,0'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 copy kept, 1 removed'),
  })
})

it('on a machine whose clock is behind, says so and leaves nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const refused = await tool('new', ['restore', copy], sealKey())
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Set the clock right.'),
  })
  expect(readdirSync(join(root, 'new'))).toEqual([])
  expect((await tool('new', ['restore', copy, '--ignore-clock'], sealKey())).code).toBe(0)
  expect((await tool('new', ['list'])).stdout).not.toContain('charles@example.com')
})
