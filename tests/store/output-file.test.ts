import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isDiskTrouble, outputFile } from '../../src/store/output-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

/** A data folder as a running server has it, and a folder beside it. */
function folders() {
  const root = tempDir()
  const [data, beside] = [join(root, 'data'), join(root, 'beside')]
  for (const folder of [data, beside]) mkdirSync(folder)
  const live = ['subscribers.sqlite', 'subscribers.sqlite-wal', 'link.key', 'notes']
  for (const name of live) writeFileSync(join(data, name), `the live ${name}`)
  return { root, data, beside, live }
}

function write(file: string, data: string, text: string) {
  const output = outputFile(file, data)
  try {
    writeFileSync(output.unfinished, text)
    output.keep()
  } finally {
    output.discard()
  }
}

it('takes its name when it is whole, for its owner only, and leaves nothing else', () => {
  const { data, beside } = folders()
  const file = join(beside, 'list.csv')
  for (const text of ['first', 'second']) {
    write(file, data, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
    chmodSync(file, 0o644)
  }
  write(file, data, 'third')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(beside)).toEqual(['list.csv'])
  const dropped = outputFile(file, data)
  writeFileSync(dropped.unfinished, 'half')
  dropped.discard()
  expect(readdirSync(beside)).toEqual(['list.csv'])
  expect(readFileSync(file, 'utf8')).toBe('third')
})

it('replaces no live file, under whatever name', () => {
  const { root, data, beside, live } = folders()
  for (const name of live) {
    const file = join(data, name)
    symlinkSync(file, join(beside, `link-to-${name}`))
    linkSync(file, join(beside, `same-as-${name}`))
    const spellings = [
      ...[file, `${data}/../data/./${name}`, `${data}//${name}`],
      ...[join(beside, `link-to-${name}`), join(beside, `same-as-${name}`)],
    ]
    for (const spelling of spellings) expect(() => write(spelling, data, 'gone')).toThrow()
    expect(readFileSync(file, 'utf8')).toBe(`the live ${name}`)
  }
  symlinkSync(data, join(root, 'alias'))
  expect(() => write(join(root, 'alias', 'link.key'), data, 'gone')).toThrow()
  expect(() => write(join(data, 'link.key'), join(root, 'alias'), 'gone')).toThrow()
  // Names that the folder may have one day.
  for (const name of ['subscribers.sqlite-shm', 'SUBSCRIBERS.SQLITE', 'other.key'])
    expect(() => write(join(data, name), data, 'gone'), name).toThrow()
  expect(readdirSync(data).toSorted()).toEqual(live.toSorted())
})

it('keeps results in the data folder itself, and replaces those', () => {
  const { data } = folders()
  for (const text of ['first', 'second']) write(join(data, 'list.csv'), data, text)
  expect(readFileSync(join(data, 'list.csv'), 'utf8')).toBe('second')
})

it('refuses a folder, a pipe, a device, a link that leads nowhere, and a database in use', () => {
  const { data, beside } = folders()
  execFileSync('mkfifo', [join(beside, 'pipe')])
  symlinkSync(join(beside, 'nowhere'), join(beside, 'link'))
  writeFileSync(join(beside, 'other.sqlite'), '')
  writeFileSync(join(beside, 'other.sqlite-wal'), '')
  for (const [name, why] of [
    [beside, 'it is a folder'],
    [join(beside, 'pipe'), 'it is no ordinary file'],
    ['/dev/null', 'it is no ordinary file'],
    [join(beside, 'link'), 'it is a link; name the file itself'],
    [join(beside, 'other.sqlite'), 'it is a database that is in use'],
    [join(data, 'link.key'), 'a name of the list itself'],
  ] as const) {
    // Before anything is done for it.
    expect(() => outputFile(name, data), name).toThrow(why)
    expect(readdirSync(join(name, '..')).filter((one) => one.endsWith('.part'))).toEqual([])
  }
  expect(existsSync(join(beside, 'nowhere'))).toBe(false)
})

it('leaves alone what came to its place meanwhile, and may not be replaced', () => {
  const { data, beside } = folders()
  const file = join(beside, 'list.csv')
  const output = outputFile(file, data)
  writeFileSync(output.unfinished, 'new')
  linkSync(join(data, 'link.key'), file)
  expect(() => output.keep()).toThrow('it is the list itself or one of its keys')
  output.discard()
  expect(readFileSync(file, 'utf8')).toBe('the live link.key')
  expect(readdirSync(beside)).toEqual(['list.csv'])
})

it('may have any name in another folder, and replace any file there', () => {
  const { data, beside } = folders()
  for (const name of ['subscribers.sqlite', 'link.key', 'notes']) {
    for (const text of ['first', 'second']) write(join(beside, name), data, text)
    expect(readFileSync(join(beside, name), 'utf8')).toBe('second')
    write(join(beside, name), join(data, 'none'), 'third')
  }
})

it('shares its unfinished file with no other run, and follows nothing that lies in wait', () => {
  const { data, beside } = folders()
  const file = join(beside, 'list.csv')
  symlinkSync(join(data, 'link.key'), `${file}.part`)
  const [one, other] = [outputFile(file, data), outputFile(file, data)]
  expect(one.unfinished).not.toBe(other.unfinished)
  for (const [output, text] of [
    [one, 'one'],
    [other, 'other'],
  ] as const) {
    writeFileSync(output.unfinished, text)
    output.keep()
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
  expect(readFileSync(join(data, 'link.key'), 'utf8')).toBe('the live link.key')
})

it('leaves no file open', (context) => {
  const open = '/proc/self/fd'
  if (!existsSync(open)) return context.skip('only Linux shows the open files')
  const { data, beside } = folders()
  const before = readdirSync(open).length
  for (let n = 0; n < 5; n += 1) write(join(beside, 'list.csv'), data, 'text')
  expect(readdirSync(open).length).toBeLessThan(before + 5)
})

it('tells the trouble of a disk, or of the rights on it, from a fault of ours', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE'])
    expect(isDiskTrouble(Object.assign(new Error(code), { code })), code).toBe(true)
  for (const other of [new TypeError('ours'), { code: '' }, { code: 'EISDIR' }, undefined])
    expect(isDiskTrouble(other)).toBe(false)
})
