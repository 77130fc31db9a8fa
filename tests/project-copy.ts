import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '..')
const SOURCES = [
  'brand',
  'firebase.json',
  'firestore.indexes.json',
  'index.html',
  'package-lock.json',
  'package.json',
  'scripts',
  'src',
  'vite.config.ts',
]

/**
 * Copies the project, as somebody's own, into an empty folder.
 *
 * @param product what stands in its `product.config.ts`, right or wrong.
 */
export function copyProject(root: string, product: object): void {
  for (const source of SOURCES)
    cpSync(join(PROJECT, source), join(root, source), { recursive: true, filter: isSource })
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'product.config.ts'), `export default ${JSON.stringify(product)}`)
}

/** Packages that a store of its own brings are found where the others are; a lock is no source. */
export const isSource = (path: string) => !/firestore\/(node_modules|\.start-)/.test(path)

/** Runs the build there, for our server or for Firebase. @returns how it ended, and what it said. */
export function buildProject(
  root: string,
  env: Readonly<Record<string, string>> = {},
  script: 'build' | 'build-firebase' = 'build',
) {
  const { NODE_ENV: _, ...ours } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`], {
    cwd: root,
    env: { ...ours, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
