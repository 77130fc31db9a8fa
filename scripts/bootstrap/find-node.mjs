import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages } from './packages.mjs'
import { SetupError } from './setup-error.mjs'

const NEEDED = 24

/** The package folder of npm's Node: larger than all other packages together, it is no part of them. */
const ROOM = 'scripts/bootstrap/node'

/** npm's Node, of whichever installation: an update is prepared by that of the version before. */
const FROM_NPM = /[\\/]node_modules[\\/]node-linux-\w+[\\/]bin[\\/]node$/

/**
 * @typedef {{ version: string, path: string, env: NodeJS.ProcessEnv, platform: string,
 *   arch: string }} Running the Node that runs this, its environment and its machine.
 */

/**
 * What of npm's Node has to be installed in a clone: nothing where the machine has one that will do, but
 * what is there stays as the lock has it, since a service may run on it. For the package of a founder's
 * folder, npm brings it.
 *
 * @param {string} root
 * @param {Running} [running]
 * @returns {Record<string, string>} rooms of packages.
 * @throws {SetupError} where npm has none for this machine either.
 */
export function nodeRooms(root, running = thisNode()) {
  const { platform, arch, version } = running
  const own = ownNode(running)
  const comesFromNpm = platform === 'linux' && (arch === 'x64' || arch === 'arm64')
  if (!own && !comesFromNpm) throw new SetupError(howToGetNode(version))
  const isThere = existsSync(join(root, ROOM, packageOf(running)))
  return own && !isThere ? {} : { 'Node 24': join(root, ROOM) }
}

/**
 * Installs npm's Node, if it is missing and this machine has none that will do.
 *
 * @param {string} root of a clone.
 * @param {NodeJS.WriteStream} out where to say so.
 */
export async function ensureNode(root, out) {
  if (ownNode(thisNode())) return
  await oneAtATime(root, () => ensurePackages(nodeRooms(root), { withTestTools: false }, out), out)
}

/**
 * Picks the Node that runs the product: the machine's own where that is new enough, else the one
 * that npm installed. An operator with a Node of their own need not trust the other.
 *
 * @param {string} root the project's folder.
 * @param {Running} [running]
 * @returns {string} its path.
 */
export function findNode(root, running = thisNode()) {
  const own = ownNode(running)
  try {
    // Every npm script would find npm's before it, even where that cannot run (Alpine).
    if (own) rmSync(join(root, 'node_modules/.bin/node'), { force: true })
  } catch {
    // The folder of another user, who has to repair it.
  }
  const installed = [join(root, ROOM), root].map((at) => join(at, packageOf(running), 'bin/node'))
  const node = own ?? installed.find((path) => isNewEnough(versionOf(path)))
  if (node) return node
  throw new SetupError(howToGetNode(running.version))
}

/** @param {Running} running */
const packageOf = ({ platform, arch }) => `node_modules/node-${platform}-${arch}`

/**
 * A Node of this machine that is new enough, and that npm did not bring: the one that runs this,
 * the one that runs npm, or one on the PATH.
 *
 * @param {Running} running
 * @returns {string | undefined} its path.
 */
export function ownNode({ version, path, env }) {
  if (isNewEnough(version) && isOwn(path)) return path
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [env.npm_node_execpath ?? '', ...folders.map((folder) => join(folder, 'node'))].find(
    (node) => existsSync(node) && isOwn(node) && isNewEnough(versionOf(node)),
  )
}

/** @param {string} node by any of its names. */
function isOwn(node) {
  return !FROM_NPM.test(existsSync(node) ? realpathSync(node) : node)
}

/**
 * Asks each program once: to start one takes a tenth of a second.
 *
 * @param {string} node
 */
function versionOf(node) {
  const known = versions.get(node)
  if (known !== undefined) return known
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''
  versions.set(node, version)
  return version
}

/** @type {Map<string, string>} */
const versions = new Map([[process.execPath, process.version]])

/** @param {string} version such as `v24.21.0` */
function isNewEnough(version) {
  return Number.parseInt(version.replace('v', ''), 10) >= NEEDED
}

/** @returns {Running} */
function thisNode() {
  const { execPath, env, platform, arch } = process
  return { version: process.versions.node, path: execPath, env, platform, arch }
}

/** @param {string} version */
function howToGetNode(version) {
  return `Node ${NEEDED} or newer is needed, and this is ${version}: https://nodejs.org/en/download`
}
