import { spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { Trouble } from './trouble.mjs'

const NEEDED = 24

/**
 * Says at once, before anything is installed, when this machine cannot get a Node that will do.
 *
 * @param {{ version?: string, platform?: string, arch?: string }} [machine] this one, if not given.
 */
export function checkMachine({
  version = process.versions.node,
  platform = process.platform,
  arch = process.arch,
} = {}) {
  const comesFromNpm = platform === 'linux' && (arch === 'x64' || arch === 'arm64')
  if (!comesFromNpm && major(version) < NEEDED) throw new Trouble(howToGetNode(version))
}

/**
 * Picks the Node that runs the product: the one npm installed where it runs, else this one.
 *
 * @param {string} root
 * @param {string} [version] of the Node that runs this.
 * @returns {string} its path.
 */
export function findNode(root, version = process.versions.node) {
  const installed = join(root, 'node_modules/.bin/node')
  const { stdout } = spawnSync(installed, ['--version'], { encoding: 'utf8' })
  if (stdout && major(stdout) >= NEEDED) return installed
  // One that cannot run here (Alpine) would still be the first that every npm script finds.
  rmSync(installed, { force: true })
  if (major(version) >= NEEDED) return process.execPath
  throw new Trouble(howToGetNode(version))
}

/**
 * Goes on as another program, in this very process where Node can do that. Older ones stand
 * between: they pass signals on and end as the program ends.
 *
 * @param {string} root the project's folder, whose commands come first on the program's PATH.
 * @param {string} node
 * @param {string[]} args
 */
export function become(root, node, args) {
  const env = environment(root, node)
  if (process.execve) process.execve(node, [node, ...args], env)

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => program.kill(signal))
  const program = spawn(node, args, { env, stdio: 'inherit' })
  program.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal).kill(process.pid, signal)
    else process.exit(code)
  })
}

/**
 * The environment in which `node` and the project's own commands are the first found.
 *
 * @param {string} root
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(root, node) {
  const path = [join(root, 'node_modules/.bin'), dirname(node), process.env.PATH]
  // Code that was read once is kept without its types: Node then spares itself the compiler that
  // removes them, and with it a quarter of the server's memory.
  return { ...process.env, NODE_COMPILE_CACHE: codeFolder(root), PATH: path.join(delimiter) }
}

/**
 * @param {string} root
 * @returns {boolean} whether Node has kept any code; `npm ci` takes it away.
 */
export function hasKeptCode(root) {
  return existsSync(codeFolder(root))
}

/** @param {string} root */
function codeFolder(root) {
  return process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node')
}

/**
 * Has Node keep the server's code before the first server needs it.
 *
 * @param {string} root
 * @param {string} node
 */
export function keepServerCode(root, node) {
  spawnSync(node, ['src/server/main.ts', '--load'], {
    cwd: root,
    env: environment(root, node),
    stdio: 'ignore', // The server itself says what is wrong with it.
  })
}

/** @param {string} version such as `v24.21.0` */
function major(version) {
  return Number.parseInt(version.replace('v', ''), 10)
}

/** @param {string} version */
function howToGetNode(version) {
  return `Node ${NEEDED} or newer is needed, and this is ${version}: https://nodejs.org/en/download`
}
