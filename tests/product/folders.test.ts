import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { tempDir } from '../fixtures/temp-dir.ts'

type Folders = typeof import('../../src/product/folders.mjs')

/** What our code says of itself where it stands in some folder. */
async function foldersAt(root: string, code: string): Promise<Folders> {
  const file = join(root, code, 'src/product/folders.mjs')
  cpSync('src/product/folders.mjs', file)
  return import(pathToFileURL(file).href)
}

it.for(['opening-bell', 'kestrel', 'node_modules/kestrel'])(
  'a clone in %s is the founder’s folder and ours',
  async (code) => {
    const root = tempDir()
    const folders = await foldersAt(root, code)
    expect(folders).toMatchObject({ isPackage: false, productFolder: join(root, code) })
    expect(folders.inCode('src/server/main.ts')).toBe(join(root, code, 'src/server/main.ts'))
  },
)

it.for([
  'node_modules/opening-bell',
  // As pnpm has it.
  'node_modules/.pnpm/opening-bell@1.0.0_react@19.3.1/node_modules/opening-bell',
])('a package in kestrel/%s belongs to kestrel', async (code) => {
  const root = tempDir()
  const folders = await foldersAt(root, join('kestrel', code))
  expect(folders).toMatchObject({ isPackage: true, productFolder: join(root, 'kestrel') })
  expect(folders.codeFolder).toBe(join(root, 'kestrel', code))
  expect(folders.codeFile('src/web/prerender.tsx')).toBe('src/web/prerender.js')
  expect(folders.inCode('bin/opening-bell.mjs')).toBe(
    join(root, 'kestrel', code, 'bin/opening-bell.mjs'),
  )
})
