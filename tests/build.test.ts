import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import product from '../product.config.ts'
import { buildProject, copyProject } from './project-copy.ts'
import { tempDir } from './temp-dir.ts'

it('a build names every mistake at once, and leaves nothing half-built', () => {
  const root = tempDir()
  copyProject(root, { ...product, name: '', appId: 'a b' })
  const { status, stderr } = buildProject(root, { PUBLIC_URL: 'example.com/page' })
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'product.config.ts: name: is missing',
    expect.stringContaining('product.config.ts: appId:'),
    expect.stringContaining('PUBLIC_URL: is "example.com/page", must be'),
  ])
  expect(existsSync(join(root, 'dist'))).toBe(false)
})

it('a build without its logo says so in one line', () => {
  const root = tempDir()
  copyProject(root, { ...product, logo: 'brand/nowhere.svg' })
  const { status, stderr } = buildProject(root)
  expect(status).toBe(1)
  expect(stderr.trim()).toBe('product.config.ts: logo: there is no file brand/nowhere.svg')
})
