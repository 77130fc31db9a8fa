import { spawnSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  isLetterName,
  LONGEST_LETTER,
  letterFolder,
  MOST_LETTERS,
  versionOf,
} from '../../../../src/desk/server/letters/letter-folder.ts'
import { tempDir } from '../../../fixtures/temp-dir.ts'

function folder() {
  const dataDir = tempDir()
  const letters = letterFolder(dataDir)
  return { dataDir, letters, path: letters.path }
}

const rights = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('the folder of letters', () => {
  it('is made with the first letter, and only its owner can read what is in it', () => {
    const { letters, path } = folder()
    expect(letters.list()).toEqual([])
    letters.save('launch', 'one', '')
    expect(rights(path)).toBe('700')
    expect(rights(join(path, 'launch.md'))).toBe('600')
    expect(letters.list()).toMatchObject([{ name: 'launch', source: 'one' }])
    expect(readdirSync(path)).toEqual(['launch.md'])
  })

  it.each([
    ...'. .. ../launch ..%2flaunch a/b .launch launch. launch.md Launch läunch'.split(' '),
    ...'-launch launch- new'.split(' '),
    '',
    'a\\b',
    'launch\n',
    'launch\0',
    'x'.repeat(61),
  ])('takes no letter called %j', (name) => {
    const { letters, dataDir } = folder()
    expect(isLetterName(name)).toBe(false)
    expect(() => letters.save(name, 'text', '')).toThrow(/only a–z, 0–9 and hyphens/)
    expect(letters.read(name)).toBeUndefined()
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('replaces what was read, and nothing that came meanwhile', () => {
    const { letters } = folder()
    letters.save('launch', 'one', '')
    expect(() => letters.save('launch', 'two', '')).toThrow('There is a letter "launch" already')
    const first = versionOf(letters.read('launch'))
    letters.save('launch', 'two', first)
    expect(() => letters.save('launch', 'three', first)).toThrow(/was changed meanwhile/)
    expect(letters.read('launch')?.source).toBe('two')
    letters.remove('launch')
    expect(() => letters.save('launch', 'three', first)).toThrow(/was changed meanwhile/)
  })

  it('reads through no link, and replaces neither a link nor a file of the list', () => {
    const { letters, path, dataDir } = folder()
    mkdirSync(path, { mode: 0o700 })
    const list = join(dataDir, 'subscribers.sqlite')
    writeFileSync(list, 'the list')
    symlinkSync(list, join(path, 'a.md'))
    expect(letters.read('a')).toBeUndefined()
    expect(letters.list()).toEqual([])
    expect(() => letters.save('a', 'text', '')).toThrow('it is a link')
    linkSync(list, join(path, 'b.md'))
    expect(letters.read('b')).toBeUndefined()
    expect(letters.list()).toEqual([])
    expect(() => letters.save('b', 'text', '')).toThrow('it is the list itself')
    mkdirSync(join(path, 'c.md'))
    expect(letters.read('c')).toBeUndefined()
    expect(() => letters.save('c', 'text', '')).toThrow('it is a folder')
    expect(readFileSync(list, 'utf8')).toBe('the list')
    expect(readdirSync(path).toSorted()).toEqual(['a.md', 'b.md', 'c.md'])
  })

  it('waits for nobody at a pipe that lies there', (context) => {
    const { letters, path } = folder()
    mkdirSync(path, { mode: 0o700 })
    if (spawnSync('mkfifo', [join(path, 'pipe.md')]).status !== 0)
      return context.skip('there is no mkfifo')
    expect(letters.read('pipe')).toBeUndefined()
    expect(letters.list()).toEqual([])
  })

  it('has a bound on each letter, and on their number', () => {
    const { letters, path } = folder()
    expect(() => letters.save('long', 'x'.repeat(LONGEST_LETTER + 1), '')).toThrow(/200 kB/)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    for (let n = 0; n < MOST_LETTERS; n += 1) writeFileSync(join(path, `a${n}.md`), '')
    expect(() => letters.save('one-more', 'text', '')).toThrow(/remove one first/)
    writeFileSync(join(path, 'a0.md'), 'x'.repeat(LONGEST_LETTER + 1))
    expect(letters.read('a0')?.source).toBe('')
  })

  it('is not taken where others may read it', () => {
    const { letters, path } = folder()
    mkdirSync(path, { mode: 0o755 })
    expect(() => letters.save('launch', 'text', '')).toThrow('only its owner can read')
  })
})
