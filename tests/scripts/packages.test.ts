import { expect, test } from 'vitest'
import { explainInstall, isInstalled } from '../../scripts/bootstrap/packages.mjs'

const fastify = { version: '5.0.0', integrity: 'sha512-a' }
const vitest = { version: '5.0.0', integrity: 'sha512-b', dev: true }
const forMac = { version: '1.0.0', integrity: 'sha512-c', optional: true, os: ['darwin'] }
const forLinux = { version: '1.0.0', integrity: 'sha512-d', optional: true, os: 'linux' }
const lock = {
  'node_modules/fastify': fastify,
  'node_modules/vitest': vitest,
  'node_modules/for-mac': forMac,
  'node_modules/for-linux': forLinux,
}
const { 'node_modules/for-mac': _, ...onLinux } = lock
const all = { withTestTools: true, platform: 'linux' }

test('an install of everything that this machine can use is complete', () => {
  expect(isInstalled(lock, onLinux, all)).toBe(true)
})

test('the tools of the tests may be missing for a start, not for the tests', () => {
  const { 'node_modules/vitest': _, ...production } = onLinux
  expect(isInstalled(lock, production, { ...all, withTestTools: false })).toBe(true)
  expect(isInstalled(lock, production, all)).toBe(false)
})

test('another version, other contents or a missing package is out of date', () => {
  const { 'node_modules/fastify': _, ...without } = onLinux
  const other = (change: object) => ({
    ...onLinux,
    'node_modules/fastify': { ...fastify, ...change },
  })
  expect(isInstalled(lock, other({ version: '5.0.1' }), all)).toBe(false)
  expect(isInstalled(lock, other({ integrity: 'sha512-x' }), all)).toBe(false)
  expect(isInstalled(lock, without, all)).toBe(false)
})

test('a package that the lock file no longer names is out of date', () => {
  expect(isInstalled(lock, { ...onLinux, 'node_modules/left': fastify }, all)).toBe(false)
})

test("packages brought along from another system are not this machine's", () => {
  expect(isInstalled(lock, onLinux, { ...all, platform: 'darwin' })).toBe(false)
})

test.for([
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EACCES', /cannot be written/],
  ['npm error code ENOTFOUND', /registry cannot be reached/],
  ['npm error code ECONNREFUSED', /registry cannot be reached/],
  ['npm error something new', /above is what npm says/],
] as const)('after "%s" a person reads what to do', ([output, advice]) => {
  expect(explainInstall(output)).toMatch(advice)
  expect(explainInstall(output)).not.toContain('\n')
})
