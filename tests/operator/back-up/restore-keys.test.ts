/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
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
import { beforeEach, expect, it } from 'vitest'
import { tempDir } from '../../fixtures/temp-dir.ts'

const main = join(import.meta.dirname, '../../../src/operator/main.ts')

let root: string
let copy: string

/** The tool on one of two machines. */
function tool(machine: string, args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    ...{ encoding: 'utf8', cwd: root },
    env: {
      ...{ ...process.env, LINK_KEY: '', npm_lifecycle_event: '', NO_COLOR: '1' },
      ...{ DATA_DIR: join(root, machine), BACKUP_TO: join(root, 'copies'), ...env },
    },
  })
  return { code: status, stdout, stderr }
}

const file = (machine: string, name: string) => join(root, machine, name)

beforeEach(() => {
  root = tempDir()
  for (const folder of ['old', 'new', 'copies']) mkdirSync(join(root, folder), { mode: 0o700 })
  writeFileSync(file('old', 'session.key'), 'A'.repeat(43), { mode: 0o600 })
  writeFileSync(join(root, 'list.csv'), 'email\nada@example.com\ncharles@example.com\n')
  tool('old', ['import', 'list.csv'])
  tool('old', ['unsubscribe', 'charles@example.com'])
  expect(tool('old', ['backup', '--keep', '7,4,12'])).toMatchObject({ code: 0, stdout: '' })
  copy = join('copies', readdirSync(join(root, 'copies'))[0] ?? '')
})

it('a nightly copy brings back list and keys on another machine', () => {
  const look = tool('new', ['restore', copy, '--check'])
  expect(look.stderr).toContain('is whole: 2 subscribers, 0 announcements.')
  expect(look.stderr).toContain('It has link.key and session.key.')
  // A look leaves no key that would be in the way.
  expect(readdirSync(join(root, 'new')).filter((name) => name.endsWith('.key'))).toEqual([])

  const restored = tool('new', ['restore', copy])
  expect(restored.code).toBe(0)
  expect(restored.stderr).toContain('Put back from the copy: link.key and session.key.')
  for (const name of ['link.key', 'session.key']) {
    expect(readFileSync(file('new', name))).toEqual(readFileSync(file('old', name)))
    expect(statSync(file('new', name)).mode & 0o777).toBe(0o600)
  }
  expect(tool('new', ['find', 'charles@example.com']).stdout).toContain('unsubscribed')
  // The same again changes nothing.
  expect(tool('new', ['restore', copy]).stderr).not.toContain('Put back')
})

it('a nightly copy brings back who was invited, and the key that signed it', () => {
  const { stdout: publicKey } = tool('old', ['invitations', '--public-key'])
  expect(tool('old', ['backup', '--keep', '7,4,12'])).toMatchObject({ code: 0 })
  const newest = join('copies', readdirSync(join(root, 'copies')).toSorted().at(-1) ?? '')
  const restored = tool('new', ['restore', newest])
  expect(restored.stderr).toContain(
    'Put back from the copy: link.key, session.key and invitation.key.',
  )
  expect(readFileSync(file('new', 'invitation.key'))).toEqual(
    readFileSync(file('old', 'invitation.key')),
  )
  expect(statSync(file('new', 'invitation.key')).mode & 0o777).toBe(0o600)
  expect(tool('new', ['invitations', '--public-key']).stdout).toBe(publicKey)
})

it('of a copy without the key, no other one is made in its place', () => {
  tool('old', ['invitations', '--public-key'])
  expect(tool('old', ['backup', '--output', 'plain.sqlite']).code).toBe(0)
  copyFileSync(file('old', 'link.key'), file('new', 'link.key'))
  expect(tool('new', ['restore', 'plain.sqlite']).code).toBe(0)
  const { code, stderr } = tool('new', ['invitations', '--public-key'])
  expect(code).toBe(1)
  expect(stderr).toContain('Put it back from a back-up.')
  expect(existsSync(file('new', 'invitation.key'))).toBe(false)
})

it('never replaces a key, and says what to do', () => {
  writeFileSync(file('new', 'link.key'), Buffer.alloc(32, 7), { mode: 0o600 })
  const { code, stderr } = tool('new', ['restore', copy])
  expect(code).toBe(1)
  expect(stderr).toMatch(/another link\.key than .*never replaced.*move everything in/)
  expect(readFileSync(file('new', 'link.key'))).toEqual(Buffer.alloc(32, 7))
  expect(existsSync(file('new', 'session.key'))).toBe(false)
})

/** Changes the copy, and has it refused on a new machine, to which the right one then comes back. */
function isRefusedAndLeavesNothing(change: string, why: string) {
  const wrong = join(root, 'wrong.sqlite')
  copyFileSync(join(root, copy), wrong)
  const db = new DatabaseSync(wrong)
  db.exec(change)
  db.close()
  expect(tool('new', ['restore', wrong, '--check']).stderr).toContain(why)
  expect(tool('new', ['restore', wrong])).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining(why) },
  })
  expect(readdirSync(join(root, 'new'))).toEqual([])
  expect(tool('new', ['restore', copy])).toMatchObject({ code: 0 })
  expect(readFileSync(file('new', 'link.key'))).toEqual(readFileSync(file('old', 'link.key')))
}

it('takes no key of another product’s copy', () =>
  isRefusedAndLeavesNothing("UPDATE product SET appId = 'another'", 'of the appId "another"'))

it('takes no key that is none, and makes none in its place', () =>
  isRefusedAndLeavesNothing(
    "UPDATE copiedKeys SET bytes = x'0102030405' WHERE name = 'link.key'",
    'The copy was made with another LINK_KEY: put its link.key back.',
  ))

it('leaves another session.key as it is: visitors only get a new session', () => {
  writeFileSync(file('new', 'session.key'), 'B'.repeat(43), { mode: 0o600 })
  expect(tool('new', ['restore', copy]).stderr).toContain('Put back from the copy: link.key.')
  expect(readFileSync(file('new', 'session.key'), 'utf8')).toBe('B'.repeat(43))
})

it('with LINK_KEY set, that one counts, and no file of it is made', () => {
  const LINK_KEY = `base64:${readFileSync(file('old', 'link.key')).toString('base64')}`
  expect(tool('new', ['restore', copy], { LINK_KEY }).code).toBe(0)
  expect(existsSync(file('new', 'link.key'))).toBe(false)
})

it('backup says how it is called, and where Firestore’s copies are', () => {
  expect(tool('old', ['backup'])).toMatchObject({ code: 2 })
  expect(tool('old', ['backup', '--keep', '7,4,12', '--rehearse']).code).toBe(2)
  expect(tool('old', ['backup', '--rehearse']).code).toBe(0)
  const without = tool('old', ['backup', '--keep', '1,0,0'], { BACKUP_TO: '' })
  expect(without.stderr).toBe('Name the folder for back-ups, with --to or BACKUP_TO.\n')
  const forgotten = tool('old', ['forget', 'ada@example.com'])
  expect(forgotten.stderr).toMatch(/^1 back-up in .* still has the address\. .* goes on \d{4}-/)
})
