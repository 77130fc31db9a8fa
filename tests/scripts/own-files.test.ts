import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { readOwnFiles } from '../../scripts/build/own-files.ts'
import { products } from '../fixtures/products.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

function folderOf(paths: readonly string[], content = 'mine') {
  const root = tempDir()
  for (const path of paths) {
    mkdirSync(dirname(join(root, 'public', path)), { recursive: true })
    writeFileSync(join(root, 'public', path), content)
  }
  return root
}

describe('the files of one’s own', () => {
  it('are read as they are, also those of .well-known', () => {
    const paths = ['.well-known/security.txt', 'google123.html', 'press/kit.pdf']
    const { files, mistakes } = readOwnFiles(folderOf(paths), product)
    expect(mistakes).toEqual([])
    expect([...files.keys()]).toEqual(paths)
    expect(files.get('press/kit.pdf')?.toString()).toBe('mine')
  })

  it('need not be there, and what other programs leave is none', () => {
    const none = { files: new Map(), mistakes: [] }
    expect(readOwnFiles(tempDir(), product)).toEqual(none)
    expect(readOwnFiles(folderOf(['.gitkeep', '.DS_Store', 'a/Thumbs.db']), product)).toEqual(none)
  })

  it.each([
    ['robots.txt', 'the page itself uses this name: leave this file out'],
    ['Index.html', 'the page itself uses this name: leave this file out'],
    ['assets', 'the page itself uses this name: leave this file out'],
    ['answer', 'the page itself uses this name: leave this file out'],
    ['still-interested', 'the page itself uses this name: leave this file out'],
    ['sw.js', 'the page itself uses this name: leave this file out'],
    // It would be at `/desk` as well.
    ['desk.html', 'the page itself uses this name: leave this file out'],
    ['Confirm.htm', 'the page itself uses this name: leave this file out'],
    ['unsubscribe', 'the page itself uses this name: leave this file out'],
    ['a b.txt', 'may have only letters, digits, ".", "-", "_" and "~"'],
    ['.env', 'begins with a dot, which only .well-known may'],
    ['a.txt.br', 'ends as our compressed copies do: give it another name'],
  ])('have a line for %s, which cannot be served', (path, why) => {
    const { files, mistakes } = readOwnFiles(folderOf([path, 'fine.txt']), product)
    expect(mistakes).toEqual([`public/${path}: ${why}`])
    expect([...files.keys()]).toEqual(['fine.txt'])
  })

  it('do not stand over a language, where there are several', () => {
    const root = folderOf(['de/a.txt', 'en/a.txt', 'fr/a.txt'])
    expect(readOwnFiles(root, products.bakery).mistakes).toHaveLength(2)
    expect(readOwnFiles(root, products.brotzeit).mistakes).toEqual([])
  })

  it('do not lead out of their folder, nor are they anything but files', () => {
    const root = folderOf(['fine.txt'])
    symlinkSync('/etc/passwd', join(root, 'public/users.txt'))
    symlinkSync('..', join(root, 'public/up'))
    execFileSync('mkfifo', [join(root, 'public/waits')])
    expect(readOwnFiles(root, product).mistakes).toEqual([
      'public/up: is a link, put the file itself there',
      'public/users.txt: is a link, put the file itself there',
      'public/waits: is no file',
    ])
    const linked = tempDir()
    symlinkSync('/etc', join(linked, 'public'))
    expect(readOwnFiles(linked, product)).toEqual({
      files: new Map(),
      mistakes: ['public: is a link, put the file itself there'],
    })
  })

  it('are few and small', () => {
    const many = folderOf(Array.from({ length: 101 }, (_, i) => `${i}.txt`))
    expect(readOwnFiles(many, product).mistakes).toEqual(['public: has more than 100 files'])
    const large = folderOf(['a.bin', 'b.bin'], 'x'.repeat(2_600_000))
    expect(readOwnFiles(large, product).mistakes).toEqual([
      'public: has 5200000 bytes, 5000000 fit: larger files need another host',
    ])
  })
})
