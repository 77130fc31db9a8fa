import { spawnSync } from 'node:child_process'
import {
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  amiss,
  ensurePackages,
  explainInstall,
  giveToOwner,
} from '../../scripts/bootstrap/packages.mjs'
import { tempDir } from '../fixtures/temp-dir.ts'

const linux = { platform: 'linux', arch: 'x64', libc: 'glibc' }
const fastify = { version: '5.0.0', integrity: 'sha512-a' }
const native = { version: '1.0.0', integrity: 'sha512-b', optional: true }
const lock = {
  'node_modules/fastify': fastify,
  'node_modules/vitest': { version: '5.0.0', integrity: 'sha512-c', dev: true },
  'node_modules/for-linux': { ...native, os: 'linux', cpu: ['x64'], libc: ['glibc'] },
  'node_modules/for-alpine': { ...native, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/for-mac': { ...native, os: ['darwin'] },
  'node_modules/used-by-for-mac': native,
}
const {
  'node_modules/for-alpine': _alpine,
  'node_modules/for-mac': _mac,
  'node_modules/used-by-for-mac': _usedByMac,
  ...onLinux
} = lock
const all = { withTestTools: true, machine: linux }

test('an install of everything that this machine can use is complete', () => {
  expect(amiss(lock, onLinux, all)).toEqual([])
})

test('the tools of the tests may be missing for a start, not for the tests', () => {
  const { 'node_modules/vitest': _, ...production } = onLinux
  expect(amiss(lock, production, { ...all, withTestTools: false })).toEqual([])
  expect(amiss(lock, production, all)).not.toEqual([])
})

test('another version, other contents or a missing package is out of date', () => {
  const { 'node_modules/fastify': _, ...without } = onLinux
  const other = (change: object) => ({
    ...onLinux,
    'node_modules/fastify': { ...fastify, ...change },
  })
  expect(amiss(lock, other({ version: '5.0.1' }), all)).not.toEqual([])
  expect(amiss(lock, other({ integrity: 'sha512-x' }), all)).not.toEqual([])
  expect(amiss(lock, without, all)).not.toEqual([])
})

test('a package that the lock file no longer names is out of date', () => {
  expect(amiss(lock, { ...onLinux, 'node_modules/left': fastify }, all)).not.toEqual([])
})

test("programs brought along from another machine are not this machine's", () => {
  for (const machine of [
    { ...linux, arch: 'arm64' },
    { ...linux, libc: 'musl' },
  ])
    expect(amiss(lock, onLinux, { ...all, machine })).not.toEqual([])
})

describe('what root installs', () => {
  beforeEach((context) => {
    if (process.geteuid?.() !== 0) context.skip('only root can give files away')
  })
  const ownerOf = (path: string) => {
    const { uid, gid } = lstatSync(path)
    return [uid, gid]
  }

  /** A folder in which one package is installed, which belongs to somebody else. */
  function installed() {
    const root = tempDir()
    const types = join(root, 'node_modules/@types/node')
    mkdirSync(types, { recursive: true })
    for (const name of ['index.d.ts', 'package.json']) writeFileSync(join(types, name), '{}')
    const packages = { 'node_modules/@types/node': fastify }
    for (const name of ['package-lock.json', 'node_modules/.package-lock.json'])
      writeFileSync(join(root, name), JSON.stringify({ packages }))
    for (const path of [types, join(types, 'index.d.ts')]) chownSync(path, 4242, 4242)
    return { root, types }
  }

  test('belongs to the owner of the folder, whatever user made the package', () => {
    const { root } = installed()
    for (const owner of [0, 1000]) {
      chownSync(root, owner, owner)
      giveToOwner(root)
      const all = ['', ...readdirSync(join(root, 'node_modules'), { recursive: true })]
      const owners = all.map((name) => ownerOf(join(root, 'node_modules', String(name))))
      expect(owners).toEqual(all.map(() => [owner, owner]))
    }
  })

  test('is given away without what its links lead to', () => {
    const { root, types } = installed()
    const others = tempDir()
    writeFileSync(join(others, 'theirs'), '')
    for (const path of [others, join(others, 'theirs')]) chownSync(path, 4343, 4343)
    symlinkSync(others, join(types, 'folder'))
    symlinkSync(join(others, 'theirs'), join(types, 'file'))
    symlinkSync('/proc/self', join(types, 'process'))
    for (const name of ['folder', 'file', 'process']) lchownSync(join(types, name), 4242, 4242)
    giveToOwner(root)
    expect(ownerOf(others)).toEqual([4343, 4343])
    expect(ownerOf(join(others, 'theirs'))).toEqual([4343, 4343])
    for (const name of ['folder', 'file', 'process'])
      expect(ownerOf(join(types, name))).toEqual([0, 0])
  })

  test('is put right by the next start, where one was killed before that', async () => {
    const { root, types } = installed()
    await ensurePackages({ packages: root }, { withTestTools: true, machine: linux })
    expect(ownerOf(types)).toEqual([0, 0])
    expect(ownerOf(join(types, 'index.d.ts'))).toEqual([0, 0])
  })

  test('stays unused where root may not give it away, in one line with the command', (context) => {
    const { root, types } = installed()
    const script = `import { ensurePackages } from '${join(import.meta.dirname, '../../scripts/bootstrap/packages.mjs')}'
      import { orSayWhy } from '${join(import.meta.dirname, '../../scripts/bootstrap/setup-error.mjs')}'
      await orSayWhy(() => ensurePackages({ packages: '${root}' }, { withTestTools: true }))`
    const { status, stderr, error } = spawnSync(
      'setpriv',
      [
        ...['--bounding-set', '-chown', '--inh-caps', '-chown'],
        ...[process.execPath, '--input-type=module', '-e', script],
      ],
      { encoding: 'utf8' },
    )
    if (error) context.skip('setpriv is not there')
    expect(stderr).toBe(
      `${types} cannot be given to the owner of ${root} (EPERM), so another user may change it. Run as a user who may: chown -R -h 0:0 '${root}/node_modules'\n`,
    )
    expect(status).toBe(1)
  })
})

test('a program for this machine that npm passed over in silence is missing', () => {
  const { 'node_modules/for-linux': _, ...without } = onLinux
  expect(amiss(lock, without, all)).toEqual(['node_modules/for-linux'])
  expect(amiss(lock, onLinux, all)).toEqual([])
})

test.for([
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EACCES', /cannot be written/],
  ['npm error code ENOTFOUND', /registry cannot be reached/],
  ['npm error code ECONNREFUSED', /registry cannot be reached/],
  ['npm error something new', /above is what npm says/],
] as const)('after "%s" a person reads what to do', ([output, advice]) => {
  expect(explainInstall({ stderr: output })).toMatch(advice)
  expect(explainInstall({ stderr: output })).not.toContain('\n')
})

test.for([
  ['taking in from Firestore', 'src/store/firestore'],
  ['a page for Firebase', 'src/client'],
] as const)('what %s installs is what the tests run with', ([, folder]) => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
  const { dependencies } = read(`${folder}/package.json`)
  expect(read('package.json').devDependencies).toMatchObject(dependencies)
  const ours = read('package-lock.json').packages
  const { '': _, ...theirs } = read(`${folder}/package-lock.json`).packages
  const versions = new Set(
    Object.entries<{ version: string }>(ours).map(
      ([folder, { version }]) => nameOf(folder) + version,
    ),
  )
  // Types are no part of what runs.
  const others = Object.entries<{ version: string }>(theirs).filter(
    ([folder, { version }]) =>
      !versions.has(nameOf(folder) + version) && !nameOf(folder).includes('types'),
  )
  expect(others).toEqual([])
})

const nameOf = (folder: string) => folder.replace(/^.*node_modules\//, '')
