/** @module-tag thorough */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { spoil } from '../../fixtures/merged-copy.ts'
import { ended, limitedTo, run } from '../../fixtures/run.ts'
import { machines } from './machines.ts'

let root: string
let copy: string
let tool: Awaited<ReturnType<typeof machines>>['tool']
beforeEach(async () => {
  ;({ root, copy, tool } = await machines())
})

/** What the operator kept apart from the copies. */
const sealKey = () => ({
  BACKUP_SEAL_KEY: readFileSync(file('old', 'seal.key')).toString('base64'),
})

const file = (machine: string, name: string) => join(root, machine, name)

const copies = () => readdirSync(join(root, 'copies')).toSorted()
const newest = () => join('copies', copies().at(-1) ?? '')
const keysIn = (machine: string) =>
  readdirSync(join(root, machine)).filter((name) => name.endsWith('.key'))
const restore = (machine: string, name = newest(), ...more: string[]) =>
  tool(machine, ['restore', name, ...more], sealKey())
const backUp = (machine = 'old') => tool(machine, ['backup'], sealKey())

it('a nightly copy brings back list and keys on another machine', async () => {
  const look = await restore('new', copy, '--check')
  expect(look.code).toBe(0)
  expect(look.stderr).toContain('is readable: 2 people, 0 announcements.')
  expect(look.stderr).toContain('It has link.key.')
  // A look leaves no key that would be in the way, nor does a command that needs a list.
  expect((await tool('new', ['status'])).stderr).toContain('There is no list in')
  expect((await tool('new', ['import', 'nowhere.csv'])).code).toBe(1)
  expect((await tool('new', ['import', 'list.csv', '--dry-run'])).code).toBe(0)
  expect(keysIn('new')).toEqual([])

  const restored = await restore('new', copy)
  expect(restored.code).toBe(0)
  expect(restored.stderr).toContain('in use again: link.key.')
  expect(readFileSync(file('new', 'link.key'))).toEqual(readFileSync(file('old', 'link.key')))
  for (const name of ['link.key', 'subscribers.sqlite'])
    expect(statSync(file('new', name)).mode & 0o777).toBe(0o600)
  expect((await tool('new', ['find', 'charles@example.com'])).stdout).toContain('unsubscribed')
  expect(readdirSync(join(root, 'new')).filter((name) => name.includes('before'))).toEqual([])
})

it('into a list it is merged, and the list that was there stays beside, which forget names', async () => {
  await restore('new', copy)
  writeFileSync(join(root, 'more.csv'), 'email\neve@example.com\n')
  await tool('new', ['import', 'more.csv'])
  const merged = await restore('new', copy)
  expect(merged.stderr).toContain('0 brought back, 2 on the list already')
  const [before = ''] = readdirSync(join(root, 'new')).filter((name) => name.includes('before'))
  expect(merged.stderr).toContain(`The list that was there is ${file('new', before)}`)
  const db = new DatabaseSync(file('new', before), { readOnly: true })
  expect(db.prepare('SELECT count(*) AS n FROM persons').get()).toEqual({ n: 3 })
  db.close()
  const forgotten = await tool('new', ['forget', 'eve@example.com'])
  expect(forgotten.stderr).toContain(`${before} in DATA_DIR, the list from before a restore`)
  // A file of that name is live: nothing else is written into it.
  const output = await tool('new', ['export', '--output', file('new', before)])
  expect(output.stderr).toContain('a name of the list itself')
})

it('stops where a server has the list open, says both commands, and changes nothing', async () => {
  await tool('new', ['import', 'list.csv'])
  rmSync(file('new', 'link.key'))
  const db = new DatabaseSync(file('new', 'subscribers.sqlite'))
  db.prepare('SELECT 1 FROM persons').all()
  const { code, stderr } = await restore('new')
  db.close()
  expect(code).toBe(1)
  expect(stderr).toMatch(/is open.*"systemctl stop opening-bell", .*"systemctl start opening-bell"/)
  expect(keysIn('new')).toEqual([])
})

it('onto a list whose newest part stands in a log alone, or that is none, it is not restored', async () => {
  writeFileSync(file('new', 'subscribers.sqlite-wal'), 'what is newest')
  const { code, stderr } = await restore('new')
  expect([code, stderr]).toEqual([1, expect.stringContaining('is missing or empty')])
  rmSync(file('new', 'subscribers.sqlite-wal'))
  writeFileSync(file('new', 'subscribers.sqlite'), 'no list '.repeat(99))
  expect((await restore('new')).stderr).toContain('is no whole list')
  // One that was begun and holds nothing gives way.
  writeFileSync(file('new', 'subscribers.sqlite'), '')
  expect((await restore('new')).code).toBe(0)
})

it('never replaces a key, and says what to do', async () => {
  writeFileSync(file('new', 'link.key'), Buffer.alloc(32, 7), { mode: 0o600 })
  const { code, stderr } = await restore('new')
  expect(code).toBe(1)
  expect(stderr).toMatch(/another link\.key than .*never replaced.*move everything in/)
  expect(readFileSync(file('new', 'link.key'))).toEqual(Buffer.alloc(32, 7))
  expect(keysIn('new')).toEqual(['link.key'])
})

it('with LINK_KEY set, that one counts, and no file of it is made', async () => {
  const LINK_KEY = `base64:${readFileSync(file('old', 'link.key')).toString('base64')}`
  const env = { LINK_KEY, ...sealKey() }
  expect((await tool('new', ['restore', copy], env)).code).toBe(0)
  expect(existsSync(file('new', 'link.key'))).toBe(false)
  const other = { ...sealKey(), LINK_KEY: 'another key, of which nobody here has an id' }
  const { code, stderr } = await tool('new', ['restore', copy], other)
  expect([code, stderr]).toEqual([1, expect.stringContaining('put that link.key back')])
})

/** A copy that somebody changed, as it is or with another seal. */
function forged(sql: string, machine = 'old'): string {
  const name = join(root, `forged-${machine}.sqlite`)
  copyFileSync(join(root, newest()), name)
  return spoil(name, sql)
}

it('refuses a copy whose seal is wrong, not ours, or cannot be checked, and leaves nothing', async () => {
  const evil = forged('DELETE FROM persons')
  for (const more of [[], ['--check']]) {
    const { code, stderr } = await restore('new', evil, ...more)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/seal/i)])
  }
  const bytes = readFileSync(join(root, copy))
  writeFileSync(evil, Buffer.concat([Buffer.from('X'), bytes.subarray(1)]))
  expect((await restore('new', evil)).stderr).toContain('ITS SEAL IS WRONG')
  expect((await tool('new', ['restore', copy])).stderr).toContain('the key is not here')
  const BACKUP_SEAL_KEY = Buffer.alloc(32, 9).toString('base64')
  const other = await tool('new', ['restore', copy], { BACKUP_SEAL_KEY })
  expect(other.stderr).toContain('it was not sealed with the key that is here')
  expect(readdirSync(join(root, 'new'))).toEqual(['subscribers.backup-lock'])
})

it('trusted, takes no copy without its key, and leaves nothing', async () => {
  const without = "UPDATE notes SET data = json_remove(data, '$.keys') WHERE name = 'copied'"
  const { code, stderr } = await restore('new', forged(without), '--trust')
  expect([code, stderr]).toEqual([1, expect.stringContaining('needs the LINK_KEY')])
  expect(readdirSync(join(root, 'new'))).toEqual(['subscribers.backup-lock'])
})

it('trusted, a copy is none of those that the rule removes: anybody may have put it there', async () => {
  expect((await tool('new', ['restore', copy, '--trust'])).code).toBe(3)
  const { code, stderr } = await tool('new', ['backup', '--keep', '1,0,0'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 copy kept, 0 removed')])
})

it('trusted, brings back the list alone, opens no page, and holds it until the operator has looked', async () => {
  await tool('old', ['invitations', '--jwks'])
  await tool('old', ['open', 'https://app.example.com'])
  await backUp()
  const trusted = await tool('new', ['restore', newest(), '--trust'])
  expect(trusted.code).toBe(3)
  expect(trusted.stderr).toContain('2 brought back')
  expect(trusted.stderr).toContain('Its seal cannot be checked: the key is not here,')
  expect(keysIn('new')).toEqual(['link.key'])
  expect((await tool('new', ['open'])).stdout).toContain('coming soon')
  const held = (await tool('new', ['status'])).stdout
  expect(held).toMatch(
    /^PROBLEM: A copy was restored: no new letter leaves .*restore --list-is-right/m,
  )
  expect((await tool('new', ['find', 'charles@example.com'])).stdout).toContain('unsubscribed')
  // With its key, the rest comes back as well.
  expect((await restore('new')).code).toBe(0)
  expect(keysIn('new')).toEqual(['invitation.key', 'link.key'])
  expect(readFileSync(file('new', 'invitation.key'))).toEqual(
    readFileSync(file('old', 'invitation.key')),
  )
  expect((await tool('new', ['open'])).stdout).toContain('https://app.example.com')
  expect((await tool('new', ['status'])).stdout).toContain('PROBLEM: A copy was restored')
  expect((await tool('new', ['restore', '--list-is-right'])).code).toBe(0)
  expect((await tool('new', ['status'])).stdout).not.toContain('PROBLEM: A copy')
  expect((await restore('new', newest(), '--list-is-right')).code).toBe(2)
})

it('says how old a copy is, and that there is a newer one', async () => {
  copyFileSync(join(root, copy), join(root, 'older.sqlite'))
  await tool('old', ['unsubscribe', 'ada@example.com'])
  expect((await backUp()).code).toBe(0)
  const older = await restore('new', 'older.sqlite')
  expect(older.stderr).toMatch(/^The copy was made \d{4}-\d\d-\d\d \d\d:\d\d\.$/m)
  expect(older.stderr).toMatch(/THERE IS A NEWER COPY in .* Restore that copy as well/)
  expect((await restore('new')).stderr).not.toContain('NEWER')
  expect((await tool('new', ['find', 'ada@example.com'])).stdout).toContain('unsubscribed')
})

it('is one of the copies that the rule removes, where it is in their folder, and no other is', async () => {
  writeFileSync(join(root, 'copies', 'opening-bell.2020-01-01T03-10-00Z.sqlite'), 'theirs')
  await restore('new', copy)
  const forgotten = await tool('new', ['forget', 'ada@example.com'])
  expect(forgotten.stderr).toMatch(
    /1 back-up in .* from before may still have the address\. .* is removed on \d{4}-/,
  )
  expect(forgotten.stderr).toMatch(/1 other file in .* may have the address too/)
  const { code, stderr } = await tool('new', ['backup', '--keep', '1,0,0'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 copy kept, 1 removed')])
})

it('ends with a sentence where the disk is full as a copy is read, and leaves nothing', async () => {
  const main = join(import.meta.dirname, '../../../src/cli/main.ts')
  const command = [process.execPath, main, 'restore', join(root, newest())] as const
  const env = { ...sealKey(), LINK_KEY: '', DATA_DIR: join(root, 'new') }
  const { code, stderr } = await ended(run(root, limitedTo('60', [...command]), env))
  const said = /^A file cannot be read or written: EFBIG: file too large.*\n$/
  expect([code, stderr]).toEqual([1, expect.stringMatching(said)])
  expect(readdirSync(join(root, 'new'))).toEqual(['subscribers.backup-lock'])
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
  expect((await tool('old', ['backup', '--keep', '7,4,12', '--rehearse'])).code).toBe(2)
  expect((await tool('old', ['backup', '--rehearse'])).code).toBe(0)
  const without = await tool('old', ['backup'], { BACKUP_TO: '' })
  expect(without.stderr).toBe('Name the folder for back-ups, with --to or BACKUP_TO.\n')
  // What is refused makes no key either.
  await tool('new', ['import', 'list.csv'])
  expect((await tool('new', ['backup'], { BACKUP_TO: '' })).code).toBe(2)
  expect((await tool('new', ['backup', '--keep', '7', '--to', 'to'])).code).toBe(2)
  expect(existsSync(file('new', 'seal.key'))).toBe(false)
})

it('on a machine whose clock is behind, says so and leaves nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const refused = await restore('new', copy)
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Set the clock right'),
  })
  expect(readdirSync(join(root, 'new'))).toEqual(['subscribers.backup-lock'])
  expect((await restore('new', copy, '--ignore-clock')).code).toBe(0)
  expect((await tool('new', ['list'])).stdout).not.toContain('charles@example.com')
})
