/** @module-tag thorough */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { findNode, nodeRooms } from '../../scripts/bootstrap/find-node.mjs'
import { ensurePackages } from '../../scripts/bootstrap/packages.mjs'
import { tempDir } from '../fixtures/temp-dir.ts'
import { writeNodePackage } from './project-fixture.ts'

beforeEach((context) => {
  if (process.platform !== 'linux') return context.skip('npm brings a Node on Linux alone')
  vi.stubEnv('npm_config_offline', 'true')
  return () => vi.unstubAllEnvs()
})

/** A machine with nothing on its PATH, on which an older Node runs this. */
const { platform, arch } = process
const old = { version: '20.19.0', path: '/usr/bin/node', env: { PATH: '' }, platform, arch }
const room = 'scripts/bootstrap/node/node_modules'

let pristine: string
beforeAll(() => {
  pristine = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  writeNodePackage(pristine)
})
afterAll(() => rmSync(pristine, { recursive: true, force: true }))

/** A clone in which nothing is installed. */
function clone() {
  const root = tempDir()
  cpSync(pristine, root, { recursive: true })
  return root
}

/** @returns what it said. */
async function ensured(root: string, running = old) {
  let said = ''
  const write = (text: string) => {
    said += text
  }
  const out = { write } as unknown as NodeJS.WriteStream
  await ensurePackages(nodeRooms(root, running), { withTestTools: false }, out)
  return said
}

test('Node comes from npm where the machine has none that will do, once', async () => {
  const root = clone()
  expect(await ensured(root)).toMatch(/^Installing Node 24 … [\d.]+ s\n$/)
  expect(findNode(root, old)).toMatch(join(root, room))
  expect(await ensured(root)).toBe('')
})

test('what went missing, or was cut short before npm noted what it installed, is installed again', async () => {
  const root = clone()
  await ensured(root)
  for (const part of ['.package-lock.json', `node-${platform}-${arch}`]) {
    rmSync(join(root, room, part), { recursive: true })
    expect(await ensured(root)).toContain('Installing Node 24')
  }
})

test("with a Node of the machine's own nothing is fetched", async () => {
  const root = clone()
  expect(await ensured(root, { ...old, version: '24.0.0' })).toBe('')
  expect(existsSync(join(root, room))).toBe(false)
})

test("npm's Node stays as the lock has it when the machine gets one of its own", async () => {
  const root = clone()
  await ensured(root)
  rmSync(join(root, room, '.package-lock.json'))
  expect(await ensured(root, { ...old, version: '24.0.0' })).toContain('Installing Node 24')
})
