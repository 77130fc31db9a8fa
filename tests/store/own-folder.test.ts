import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inDataFolder } from '../../src/shared/data-folder.ts'
import { ownFolder } from '../../src/store/own-folder.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

/** A folder that others may read, and files in it that they may read as well. */
function folderWith(...names: string[]) {
  const folder = join(tempDir(), 'data')
  mkdirSync(folder)
  for (const name of names) writeFileSync(join(folder, name), '')
  for (const name of names) chmodSync(join(folder, name), 0o644)
  chmodSync(folder, 0o755)
  return folder
}

/** As a user of no rights, whose group is that of the files. */
const asNobody = (work: () => void) => {
  process.seteuid?.(65_534)
  try {
    work()
  } finally {
    process.seteuid?.(0)
  }
}

const besideList = ['-wal', '-shm', '.update', '.backup-lock', '.backup-0123456789abcdef'].map(
  (end) => `subscribers${end.startsWith('-') ? '.sqlite' : ''}${end}`,
)

const rights = (path: string) => (statSync(path).mode & 0o777).toString(8)

const ours = ['subscribers.sqlite', 'subscribers.sqlite-wal', 'link.key', 'letters']

it('takes the rights of others from a folder of the list, and from all that is in it', () => {
  const folder = folderWith(...ours, 'lost+found')
  ownFolder(folder, [])
  expect(rights(folder)).toBe('700')
  for (const name of ours) expect(rights(join(folder, name)), name).toBe('600')
})

it('takes them from an empty folder, and gives its owner none that it had not', () => {
  const folder = folderWith()
  chmodSync(folder, 0o677)
  ownFolder(folder, [])
  expect(rights(folder)).toBe('600')
})

it.each([
  'letter.md',
  'xlink.key',
  'link.keys',
  'link.key.old',
  'my subscribers.sqlite',
  'subscribers.',
])('takes none from a folder that holds somebody else’s %s, and says what to do', (name) => {
  const folder = folderWith('link.key', name)
  expect(() => ownFolder(folder, [])).toThrow(
    `others may read ${folder}: run "chmod go-rwx ${folder}", or choose another folder`,
  )
  expect(rights(folder)).toBe('755')
  for (const one of ['link.key', name]) expect(rights(join(folder, one))).toBe('644')
})

it('takes such a folder as it is when it is its owner’s alone, and what is not ours in it', () => {
  const folder = folderWith('link.key', 'letter.md')
  chmodSync(folder, 0o700)
  ownFolder(folder, [])
  expect(rights(join(folder, 'letter.md'))).toBe('644')
  expect(rights(join(folder, 'link.key'))).toBe('600')
})

it('is in no folder that is served, by whatever way', () => {
  const site = tempDir()
  const [inside, odd] = [join(site, 'a', 'data'), join(site, '..data')]
  for (const folder of [inside, odd]) mkdirSync(folder, { recursive: true })
  const link = join(tempDir(), 'link')
  symlinkSync(inside, link)
  for (const folder of [site, inside, odd, link])
    expect(() => ownFolder(folder, ['/nowhere', site]), folder).toThrow(
      `it is in ${site}, which is served and built anew`,
    )
})

it('may be beside a folder that is served, above it, or named after it', () => {
  const folder = folderWith()
  const beside = `${folder}-site`
  mkdirSync(beside)
  ownFolder(folder, [beside, join(folder, '..', 'da'), '/nowhere'])
  chmodSync(join(folder, '..'), 0o700)
  ownFolder(join(folder, '..'), [folder])
  expect(rights(folder)).toBe('700')
})

it('may be another’s, whose group we are in, unless everybody may read it', (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const folder = folderWith('link.key')
  chmodSync(join(folder, '..'), 0o755)
  chmodSync(join(folder, 'link.key'), 0o640)
  chmodSync(folder, 0o750)
  asNobody(() => ownFolder(folder, []))
  chmodSync(join(folder, 'link.key'), 0o644)
  asNobody(() =>
    expect(() => ownFolder(folder, [])).toThrow(
      `others may read ${join(folder, 'link.key')}: as its owner`,
    ),
  )
  expect(rights(folder)).toBe('750')
})

it('may be another’s with every file in it that we make there, and is so at each start', (context) => {
  if (process.geteuid?.() !== 0) return context.skip('only root can be somebody else')
  const everything = [...Object.values(inDataFolder), ...besideList, 'lost+found']
  const folder = folderWith(...everything)
  chmodSync(join(folder, '..'), 0o755)
  for (const name of everything) chmodSync(join(folder, name), 0o660)
  chmodSync(folder, 0o770)
  asNobody(() => ownFolder(folder, []))
  writeFileSync(join(folder, '.snapshot'), '')
  asNobody(() => ownFolder(folder, []))
  chmodSync(folder, 0o775)
  asNobody(() =>
    expect(() => ownFolder(folder, [])).toThrow(
      `others may read ${folder}: as its owner or as root, run "chmod o-rwx ${folder}", or choose another folder`,
    ),
  )
})

it('is ours alone with every file in it that we make there', () => {
  const folder = folderWith(...Object.values(inDataFolder), ...besideList)
  ownFolder(folder, [])
  expect(rights(folder)).toBe('700')
})
