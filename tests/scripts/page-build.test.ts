import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isBuilt, STAMP, sourcesStamp } from '../../scripts/bootstrap/page-build.mjs'
import { tempDir } from '../fixtures/temp-dir.ts'

const PUBLIC_URL = 'https://bell.example'

function builtProject(): { root: string; write: (path: string, content: string) => void } {
  const root = tempDir()
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  write('product.config.ts', 'a name')
  write('brand/logo.svg', 'a logo')
  write('src/web/app.tsx', 'a page')
  write('src/server/app.ts', 'a server')
  write(STAMP, sourcesStamp(root, PUBLIC_URL))
  return { root, write }
}

test('a page is up to date until something changes, and after a copy or checkout too', () => {
  const { root, write } = builtProject()
  expect(isBuilt(root, PUBLIC_URL)).toBe(true)

  utimesSync(join(root, 'product.config.ts'), new Date(), new Date())
  write('src/server/app.ts', 'another server')
  const copy = tempDir()
  cpSync(root, copy, { recursive: true })
  expect(isBuilt(copy, PUBLIC_URL)).toBe(true)
})

test.for([
  'product.config.ts',
  'brand/logo.svg',
  'package.json',
  'src/web/app.tsx',
  'src/web/new.tsx',
])('a page older than %s is out of date, whatever the time of the file says', (path) => {
  const { root, write } = builtProject()
  write(path, 'a change')
  utimesSync(join(root, path), new Date(0), new Date(0))
  expect(isBuilt(root, PUBLIC_URL)).toBe(false)
})

test('a page is out of date when a file of one’s own is another, and no link there is followed', () => {
  const { root, write } = builtProject()
  write('public/a.txt', 'mine')
  expect(isBuilt(root, PUBLIC_URL)).toBe(false)
  write(STAMP, sourcesStamp(root, PUBLIC_URL))
  symlinkSync('..', join(root, 'public/up'))
  expect(isBuilt(root, PUBLIC_URL)).toBe(true)
})

test('a page is out of date when a source is renamed or gone, or when it was never built', () => {
  const { root } = builtProject()
  renameSync(join(root, 'brand/logo.svg'), join(root, 'brand/mark.svg'))
  expect(isBuilt(root, PUBLIC_URL)).toBe(false)
  rmSync(join(root, 'dist'), { recursive: true })
  expect(isBuilt(root, PUBLIC_URL)).toBe(false)
})

test('a page for another PUBLIC_URL is out of date; an empty one means none', () => {
  const { root, write } = builtProject()
  expect(isBuilt(root, 'https://other.example')).toBe(false)
  expect(isBuilt(root, undefined)).toBe(false)
  write(STAMP, sourcesStamp(root, ''))
  expect(isBuilt(root, undefined)).toBe(true)
})
