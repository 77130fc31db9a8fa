import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isSource } from './project-copy.ts'
import { writeSiteFixture } from './site-fixture.ts'
import { tempDir } from './temp-dir.ts'

const PROJECT = join(import.meta.dirname, '..')

/** A copy of what the server needs, with the small site as its build. @returns its folder. */
export function copyOfServer(): string {
  const root = tempDir()
  cpSync(join(PROJECT, 'src'), join(root, 'src'), { recursive: true, filter: isSource })
  for (const file of ['product.config.ts', 'package.json'])
    cpSync(join(PROJECT, file), join(root, file))
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
  writeSiteFixture(root)
  return root
}
