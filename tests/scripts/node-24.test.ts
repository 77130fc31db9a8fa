import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkMachine, findNode } from '../../scripts/bootstrap/node-24.mjs'
import { tempDir } from '../temp-dir.ts'

const ONE_LINE = /^Node 24 or newer is needed, and this is 20\.19\.0: https:\S+$/

/** A folder in which npm installed this as `node`. */
function projectWithNode(script: string) {
  const root = tempDir()
  const node = join(root, 'node_modules/.bin/node')
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  writeFileSync(node, script)
  chmodSync(node, 0o755)
  return { root, node }
}

test('an older Node is enough where npm brings a newer one', () => {
  checkMachine({ version: '20.19.0', platform: 'linux', arch: 'x64' })
  checkMachine({ version: '20.19.0', platform: 'linux', arch: 'arm64' })
})

test('elsewhere an older Node gets one line that says what to do, and a newer one serves', () => {
  const mac = { platform: 'darwin', arch: 'arm64' }
  expect(() => checkMachine({ version: '20.19.0', ...mac })).toThrow(ONE_LINE)
  checkMachine({ version: '24.0.0', ...mac })
})

test('the Node that npm installed is the one to go on with', () => {
  const { root, node } = projectWithNode('#!/bin/sh\necho v24.21.0\n')
  expect(findNode(root, '20.19.0')).toBe(node)
})

test('a Node that npm installed and that does not run here makes way for the own one', () => {
  const { root, node } = projectWithNode('#!/no/such/loader\n')
  expect(findNode(root, '24.0.0')).toBe(process.execPath)
  expect(existsSync(node)).toBe(false)
})

test('without any Node that will do, one line says what to do', () => {
  expect(() => findNode(tempDir(), '20.19.0')).toThrow(ONE_LINE)
})
