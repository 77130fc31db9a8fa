import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--offline', '--loglevel=error'], { cwd: root, stdio: 'pipe' })

  for (const part of ['start.mjs', 'prepared.mjs', 'bootstrap'])
    cpSync(join(REPOSITORY, 'scripts', part), join(root, 'scripts', part), {
      recursive: true,
      filter: isSource,
    })
  const folders = 'src/product/folders.mjs'
  cpSync(join(REPOSITORY, folders), join(root, folders))
  mkdirSync(join(root, 'src/server'), { recursive: true })
  write('src/server/main.ts', SERVER)
  write('scripts/build.ts', BUILD)
  write('product.config.ts', 'export default {}')

  mkdirSync(join(root, 'candle'))
  write('candle/package.json', '{ "name": "candle", "version": "1.0.0" }')
  npm('pack', './candle')
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
  const dependencies = { candle: 'file:candle-1.0.0.tgz' }
  write('package.json', JSON.stringify({ type: 'module', scripts, dependencies }))
  npm('install', '--package-lock-only')
  writeNodePackage(root)
}

/** Stands for the package with npm's Node: a few lines that call the Node of the tests. */
export function writeNodePackage(root: string): void {
  const room = join(root, 'scripts/bootstrap/node')
  const name = `node-${process.platform}-${process.arch}`
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--offline', '--loglevel=error'], { cwd: room, stdio: 'pipe' })
  mkdirSync(join(room, name, 'bin'), { recursive: true })
  const its = { name, version: '24.0.0', os: [process.platform], bin: { node: 'bin/node' } }
  writeFileSync(join(room, name, 'package.json'), JSON.stringify(its))
  const script = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`
  writeFileSync(join(room, name, 'bin/node'), script, { mode: 0o755 })
  npm('pack', `./${name}`)
  const optionalDependencies = { [name]: `file:${name}-24.0.0.tgz` }
  writeFileSync(join(room, 'package.json'), JSON.stringify({ optionalDependencies }))
  rmSync(join(room, 'package-lock.json'), { force: true })
  npm('install', '--package-lock-only')
}
