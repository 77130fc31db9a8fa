import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupError } from './setup-error.mjs'

const NEEDED = 24

/** The package folder of npm's Node, which has a lock file of its own. */
export const NODE_ROOM = 'scripts/bootstrap/node'

/** npm's Node, of whichever installation: an update is prepared by that of the version before. */
const FROM_NPM = /[\\/]node_modules[\\/]node-linux-\w+[\\/]bin[\\/]node$/

/**
 * @typedef {{ version: string, path: string, env: NodeJS.ProcessEnv, platform: string,
 *   arch: string }} Running the Node that runs this, its environment and its machine.
 */

/**
 * Says at once, before anything is installed, when this machine cannot get a Node that will do.
 *
 * @param {Running} [running]
 */
export function checkMachine(running = thisNode()) {
  const { platform, arch, version } = running
  const comesFromNpm = platform === 'linux' && (arch === 'x64' || arch === 'arm64')
  if (!comesFromNpm && !ownNode(running)) throw new SetupError(howToGetNode(version))
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
  const link = join(root, 'node_modules/.bin/node')
  const own = ownNode(running)
  if (!own) {
    const { platform, arch, version } = running
    const name = `node_modules/node-${platform}-${arch}/bin/node`
    const installed = [join(root, NODE_ROOM, name), join(root, name)]
    const node = installed.find((path) => isNewEnough(versionOf(path)))
    if (node) return node
    takeAway(link)
    throw new SetupError(howToGetNode(version))
  }
  // Every npm script would find it before the machine's own, even where it cannot run (Alpine).
  takeAway(link)
  return own
}

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

/** @param {string} node */
function isOwn(node) {
  return !FROM_NPM.test(ownPath(node))
}

/** @param {string} node by any of its names, or one that is not there. */
function ownPath(node) {
  return existsSync(node) ? realpathSync(node) : node
}

/**
 * Asks each program once, by its own path: to start one takes a tenth of a second, and most are on
 * the PATH under several names.
 *
 * @param {string} node
 */
function versionOf(node) {
  const path = ownPath(node)
  if (path === process.execPath) return process.version
  const known = versions.get(path)
  if (known !== undefined) return known
  const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''
  versions.set(path, version)
  return version
}

/** @type {Map<string, string>} */
const versions = new Map()

/** @param {string} version such as `v24.21.0` */
function isNewEnough(version) {
  return Number.parseInt(version.replace('v', ''), 10) >= NEEDED
}

/** @param {string} link */
function takeAway(link) {
  try {
    rmSync(link, { force: true })
  } catch {
    // The folder of another user, who has to repair it.
  }
}

/** @returns {Running} */
export function thisNode() {
  const { execPath, env, platform, arch } = process
  return { version: process.versions.node, path: execPath, env, platform, arch }
}

/** @param {string} version */
function howToGetNode(version) {
  return `Node ${NEEDED} or newer is needed, and this is ${version}: https://nodejs.org/en/download`
}
