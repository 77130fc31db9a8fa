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

function builtProject() {
  const root = tempDir()
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const path of [
    'product.config.ts',
    'brand/logo.svg',
    'src/web/app.tsx',
    'src/server/app.ts',
  ])
    write(path, 'as it was')
  write(STAMP, sourcesStamp(root, PUBLIC_URL))
  return { root, write }
}

test('a page is up to date until a source changes, and after a copy or checkout too', () => {
  const { root, write } = builtProject()
  utimesSync(join(root, 'product.config.ts'), new Date(), new Date())
  write('src/server/app.ts', 'another server')
  const copy = tempDir()
  cpSync(root, copy, { recursive: true })
  expect(isBuilt(copy, PUBLIC_URL)).toBe(true)
})

const changes = ['product.config.ts', 'brand/logo.svg', 'package.json', 'public/a.txt']
test.for([...changes, 'src/web/app.tsx', 'src/web/new.tsx'])(
  'a page older than %s is out of date, whatever the time of the file says',
  (path) => {
    const { root, write } = builtProject()
    write(path, 'a change')
    utimesSync(join(root, path), new Date(0), new Date(0))
    expect(isBuilt(root, PUBLIC_URL)).toBe(false)
  },
)

test('a page is out of date when a source is renamed, for another PUBLIC_URL, or when it was never built', () => {
  const { root } = builtProject()
  for (const other of ['https://other.example', undefined]) expect(isBuilt(root, other)).toBe(false)
  renameSync(join(root, 'brand/logo.svg'), join(root, 'brand/mark.svg'))
  expect(isBuilt(root, PUBLIC_URL)).toBe(false)
  rmSync(join(root, 'dist'), { recursive: true })
  expect(isBuilt(root, PUBLIC_URL)).toBe(false)
})

test('no link in the founder’s public is followed, and an empty PUBLIC_URL means none', () => {
  const { root, write } = builtProject()
  write('public/a.txt', 'mine')
  write(STAMP, sourcesStamp(root, ''))
  symlinkSync('..', join(root, 'public/up'))
  expect(isBuilt(root, undefined)).toBe(true)
})
