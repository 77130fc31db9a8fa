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
import { amiss, ensurePackages } from '../../scripts/bootstrap/packages.mjs'
import { tempDir } from '../fixtures/temp-dir.ts'

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' }
const fastify = { version: '5.0.0', integrity: 'sha512-a' }
const native = { version: '1.0.0', integrity: 'sha512-b', optional: true }
const onLinux = {
  'node_modules/fastify': fastify,
  'node_modules/vitest': { version: '5.0.0', integrity: 'sha512-c', dev: true },
  'node_modules/for-linux': { ...native, os: 'linux', cpu: ['x64'], libc: ['glibc'] },
}
const lock = {
  ...onLinux,
  'node_modules/for-alpine': { ...native, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/for-mac': { ...native, os: ['darwin'] },
  'node_modules/used-by-for-mac': native,
}
const without = (name: string) =>
  Object.fromEntries(Object.entries(onLinux).filter(([path]) => path !== `node_modules/${name}`))

test('an install of all that this machine can use is complete, for a start without the tools of the tests', () => {
  expect(amiss(lock, onLinux, true, linux)).toEqual([])
  expect(amiss(lock, without('vitest'), false, linux)).toEqual([])
  expect(amiss(lock, without('vitest'), true, linux)).toEqual(['node_modules/vitest'])
})

test.for<[string, object, object?]>([
  ['a package', { 'node_modules/fastify': undefined }],
  ['another version', { 'node_modules/fastify': { ...fastify, version: '5.0.1' } }],
  ['other contents', { 'node_modules/fastify': { ...fastify, integrity: 'sha512-x' } }],
  ['one that the lock no longer names', { 'node_modules/left': fastify }],
  ['programs of another processor', {}, { ...linux, cpu: 'arm64' }],
  ['programs of another system', {}, { ...linux, libc: 'musl' }],
])('%s is amiss', ([, change, machine = linux]) => {
  const present = Object.entries({ ...onLinux, ...change }).filter(([, one]) => one !== undefined)
  expect(amiss(lock, Object.fromEntries(present), true, machine as typeof linux)).not.toEqual([])
})

test('a program for this machine that npm passed over in silence is missing', () => {
  expect(amiss(lock, without('for-linux'), true, linux)).toEqual(['node_modules/for-linux'])
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

  test('belongs to the owner of the folder, without what its links lead to, also after a start that was killed', async () => {
    const { root, types } = installed()
    const all = ['', ...readdirSync(join(root, 'node_modules'), { recursive: true })]
    const others = tempDir()
    const links = { folder: others, file: join(others, 'theirs'), process: '/proc/self' }
    writeFileSync(links.file, '')
    for (const path of [others, links.file]) chownSync(path, 4343, 4343)
    for (const [name, target] of Object.entries(links)) {
      symlinkSync(target, join(types, name))
      lchownSync(join(types, name), 4242, 4242)
      all.push(join('@types/node', name))
    }
    for (const owner of [0, 1000]) {
      chownSync(root, owner, owner)
      await ensurePackages(root, 'packages', true)
      const owners = all.map((name) => ownerOf(join(root, 'node_modules', String(name))))
      expect(owners).toEqual(all.map(() => [owner, owner]))
    }
    for (const path of [others, links.file]) expect(ownerOf(path)).toEqual([4343, 4343])
  })

  test('stays unused where root may not give it away, in one line with the command', (context) => {
    const { root, types } = installed()
    const script = `import { ensurePackages } from '${join(import.meta.dirname, '../../scripts/bootstrap/packages.mjs')}'
      import { whereNodeWillDo } from '${join(import.meta.dirname, '../../scripts/bootstrap/old-node.mjs')}'
      await whereNodeWillDo(() => ensurePackages('${root}', 'packages', true))`
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
