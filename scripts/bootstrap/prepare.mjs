import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeFolder, inCode, isPackage, productFolder } from '../../src/product/folders.mjs'
import { serverNodeOptions } from '../../src/shared/server-node-options.mjs'
import { ensureNode, environment, ownNode } from './node-24.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages, readPackages } from './packages.mjs'
import { ensurePage } from './page-build.mjs'
import { SetupError } from './setup-error.mjs'

/** The founder's folder, where everything is run. */
export const root = productFolder

/**
 * Prepares a clone: Node 24, packages and, where asked for, the page. Does only what is missing, so
 * it is fast when nothing is. Beneath `node_modules` we are a package of others, and npm's to install.
 *
 * @param {{ withTestTools?: boolean, withPage?: boolean }} needs
 * @returns {Promise<string>} the path of the Node to go on with.
 */
export async function prepare({ withTestTools = false, withPage = false }) {
  // Vite takes these signs of a path for those of a URL, of a text or of a pattern.
  const [sign] = /[#?"*]/.exec(root) ?? []
  if (sign)
    throw new SetupError(
      `The page cannot be built in ${root}: the path has a ${sign}. Give that folder another name, then start again.`,
    )
  return oneAtATime(root, async () => {
    if (isPackage) refuseOtherVersion()
    const node = await ensureNode(root, ownNode())
    const isInstalled = !isPackage && (await ensurePackages(root, 'packages', withTestTools))
    // The tools of the tests have it.
    if (!withTestTools || isPackage) await ensureStorePackages()
    const isBuilt = withPage && (await ensurePage(root, node))
    // An install takes away what code Node kept. The server itself says what is wrong with it.
    if (isBuilt || (withPage && isInstalled))
      spawnSync(node, [...serverNodeOptions, inCode('src/server/main.ts'), '--load'], {
        cwd: root,
        env: environment(root, node),
        stdio: 'ignore',
      })
    return node
  })
}

/** Says so when a lock file names another version of us than the one that runs: nothing was installed. */
function refuseOtherVersion() {
  const locked = readPackages(join(root, 'package-lock.json'))?.['node_modules/opening-bell']
  const { version } = JSON.parse(readFileSync(join(codeFolder, 'package.json'), 'utf8'))
  if (locked?.version !== undefined && locked.version !== version)
    throw new SetupError(
      `package-lock.json has opening-bell ${locked.version}, and ${version} is installed: run "npm ci".`,
    )
}

/**
 * Installs what takes sign-ups in from Firestore, if it is missing: only where the settings name a
 * project, so a first start does not wait for it.
 *
 * @param {NodeJS.WriteStream} [out] where to say so.
 */
export async function ensureStorePackages(out) {
  const { GOOGLE_CLOUD_PROJECT, GOOGLE_APPLICATION_CREDENTIALS } = process.env
  if (GOOGLE_CLOUD_PROJECT?.trim() || GOOGLE_APPLICATION_CREDENTIALS?.trim())
    await ensureExtra('src/store/firestore', "Google's Firestore library", out)
}

/**
 * Installs what a room of our code has a lock file of its own for; nothing where the tools of the tests,
 * or a founder's own package.json, have brought the same packages: two copies in one process would not
 * know each other's objects.
 *
 * @param {string} room
 * @param {string} what it is.
 * @param {NodeJS.WriteStream} [out] where to say so.
 */
export async function ensureExtra(room, what, out) {
  const folder = join(codeFolder, room)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const there = readPackages(join(root, 'node_modules/.package-lock.json')) ?? {}
  const isThere = (/** @type {string} */ name) =>
    there[`node_modules/${name}`]?.version === dependencies[name]
  if (Object.keys(dependencies).every(isThere)) return
  await oneAtATime(folder, () => ensurePackages(folder, what, false, out), out)
}
