import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSource } from '../fixtures/project-copy.ts'

const REPOSITORY = join(import.meta.dirname, '../..')

/** Stands for the server: answers slowly, and finishes what is in flight when told to stop. */
const SERVER = `
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
if (process.argv[2] === '--load') {
  appendFileSync('loaded', 'once ')
  process.exit()
}
const server = createServer((_, answer) => {
  console.log('in flight')
  setTimeout(() => answer.end('done for ' + process.env.PUBLIC_URL), 300)
})
const stop = () => server.close()
process.on('SIGINT', stop).on('SIGTERM', stop)
server.listen(0, '127.0.0.1', () => console.log('open at port ' + server.address().port))
`

/** Stands for the build. */
const BUILD = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
console.warn('bundler chatter')
console.log('a note for the operator')
if (process.env.BREAK_BUILD) throw new Error('the bundler says no')
mkdirSync('dist', { recursive: true })
writeFileSync(STAMP, sourcesStamp('.'))
`

/**
 * Writes a project in small: our real scripts, stand-ins for build and server, and one package
 * that npm really installs from the lock file, without any network.
 */
export function writeProject(root: string): void {
  const write = (path: string, content: string) => writeFileSync(join(root, path), content)
  for (const part of ['prepared.mjs', 'bootstrap'])
    cpSync(join(REPOSITORY, 'scripts', part), join(root, 'scripts', part), {
      recursive: true,
      filter: isSource,
    })
  for (const read of ['src/product/folders.mjs', 'src/shared/server-node-options.mjs'])
    cpSync(join(REPOSITORY, read), join(root, read))
  mkdirSync(join(root, 'src/server'), { recursive: true })
  write('src/server/main.ts', SERVER)
  write('scripts/build.ts', BUILD)
  write('product.config.ts', 'export default {}')

  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
  const dependencies = packed(root, { name: 'candle', version: '1.0.0' })
  write('package.json', JSON.stringify({ type: 'module', scripts, dependencies }))
  writeNodePackage(root, join(root, 'candle-1.0.0.tgz'))
}

/**
 * Stands for the package with npm's Node: a few lines that call the Node of the tests.
 *
 * @param others packages that npm has to have in its cache as well, where `npm ci` finds them.
 */
export function writeNodePackage(root: string, ...others: string[]): void {
  const room = join(root, 'scripts/bootstrap/node')
  const name = `node-${process.platform}-${process.arch}`
  const its = { name, version: '24.0.0', os: [process.platform], bin: { node: 'bin/node' } }
  const script = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`
  const optionalDependencies = packed(room, its, { 'bin/node': script })
  writeFileSync(join(room, 'package.json'), JSON.stringify({ optionalDependencies }))
  const files = [join(room, `${name}-${its.version}.tgz`), ...others]
  execFileSync('npm', ['cache', 'add', ...files, '--offline', '--loglevel=error'], {
    stdio: 'pipe',
  })
}

interface Package {
  readonly name: string
  readonly version: string
  /** Of a system: one that is not needed elsewhere. */
  readonly os?: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
}

/**
 * Makes a package, and locks it in that folder, as npm would, which takes a second for each.
 *
 * @returns what stands in the folder's `package.json`.
 */
function packed(folder: string, its: Package, programs: Readonly<Record<string, string>> = {}) {
  const { name, version, ...more } = its
  const made = join(folder, `of-${name}`)
  const files = { 'package.json': JSON.stringify(its), ...programs }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(made, 'package', path, '..'), { recursive: true })
    writeFileSync(join(made, 'package', path), text, { mode: 0o755 })
  }
  const file = `${name}-${version}.tgz`
  execFileSync('tar', ['-czf', join(folder, file), '-C', made, 'package'])
  const sum = createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64')
  const from = { [name]: `file:${file}` }
  const locked = { version, resolved: `file:${file}`, integrity: `sha512-${sum}`, ...more }
  const packages = {
    '': its.os ? { optionalDependencies: from } : { dependencies: from },
    [`node_modules/${name}`]: its.os ? { ...locked, optional: true } : locked,
  }
  const lock = { lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock, null, 2))
  return from
}
