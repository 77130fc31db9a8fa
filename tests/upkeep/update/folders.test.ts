import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { foldersBack, foldersForth } from '../../../src/upkeep/update/folders.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const names = ['node_modules']

/** An installation whose new packages are beside the old ones. */
function staged() {
  const root = tempDir()
  const [here, next, before] = ['', '.update/next', '.update/before'].map((folder) =>
    join(root, folder, 'node_modules'),
  ) as [string, string, string]
  const make = (folder: string, which: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'which'), which)
  }
  make(here, 'old')
  make(next, 'new')
  mkdirSync(join(before, '..'), { recursive: true })
  return {
    root,
    here,
    next,
    before,
    which: () => readFileSync(join(here, 'which'), 'utf8'),
    /** What a kill between the two renames leaves, and the next start puts there. */
    between() {
      renameSync(here, before)
      mkdirSync(join(here, '.cache/node'), { recursive: true })
    },
  }
}

it('goes forth and back, and does either again', () => {
  const { root, which } = staged()
  for (const _ of [1, 2]) {
    foldersForth(root, names)
    expect(which()).toBe('new')
  }
  for (const _ of [1, 2]) {
    foldersBack(root, names)
    expect(which()).toBe('old')
  }
})

it('goes forth from between, whatever a start has put there', () => {
  const { root, here, between, which } = staged()
  between()
  foldersForth(root, names)
  expect(which()).toBe('new')
  expect(existsSync(join(here, '.cache'))).toBe(false)
  foldersBack(root, names)
  expect(which()).toBe('old')
})

it('comes back from between with the old ones, whatever a start has put there', () => {
  const { root, between, which, next, before } = staged()
  between()
  foldersBack(root, names)
  expect(which()).toBe('old')
  expect(existsSync(before)).toBe(false)
  expect(existsSync(next)).toBe(true)
})
