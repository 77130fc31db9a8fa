import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { NOT_FOUND, step } from './step.mjs'
import { Trouble } from './trouble.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean,
 *   devOptional?: boolean, os?: string | string[] }} Package
 * @typedef {Record<string, Package>} Packages by folder, as in a lock file.
 */

/**
 * Installs what the lock file names, unless exactly that is there.
 *
 * @param {string} root
 * @param {{ withTestTools: boolean }} options which of them are needed.
 */
export async function ensurePackages(root, { withTestTools }) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (!wanted)
    throw new Trouble(
      'package-lock.json is missing or broken. `git checkout package-lock.json` brings it back.',
    )
  const present = readPackages(join(root, 'node_modules/.package-lock.json'))
  if (present && isInstalled(wanted, present, { withTestTools }) && allExist(root, present)) return

  const command = withTestTools ? [...install, '--include=dev'] : install
  await step('Installing packages', [...npm(), ...command], { cwd: root, explain: explainInstall })
}

const install = [
  'ci',
  '--include=optional', // Node 24 is one of these.
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
  '--fetch-retry-mintimeout=1000', // Npm's own pauses keep a person without network for minutes.
  '--fetch-retry-maxtimeout=3000',
]

/**
 * Compares the lock file with npm's own list of what it installed, which npm removes first and
 * writes last: a half-finished install has none.
 *
 * @param {Packages} wanted
 * @param {Packages} present
 * @param {{ withTestTools: boolean, platform?: string }} options
 */
export function isInstalled(wanted, present, { withTestTools, platform = process.platform }) {
  for (const [folder, { version, integrity, dev, optional, devOptional }] of Object.entries(
    wanted,
  )) {
    const found = present[folder]
    if (!found && (optional || ((dev || devOptional) && !withTestTools))) continue
    if (!found || found.version !== version || found.integrity !== integrity) return false
  }
  return Object.entries(present).every(
    // A folder that was brought along from another system holds that system's programs.
    ([folder, { os }]) => folder in wanted && (!os || [os].flat().includes(platform)),
  )
}

/**
 * @param {string} root
 * @param {Packages} packages
 */
function allExist(root, packages) {
  return Object.keys(packages).every((folder) => existsSync(join(root, folder, 'package.json')))
}

/**
 * @param {string} path
 * @returns {Packages | undefined} all but the project itself; undefined when it cannot be read.
 */
function readPackages(path) {
  try {
    const { '': _project, ...packages } = JSON.parse(readFileSync(path, 'utf8')).packages
    return packages
  } catch {
    return undefined
  }
}

/** @returns {[string, ...string[]]} how to run the npm that runs us, or else the one on the PATH. */
function npm() {
  const running = process.env.npm_execpath
  return running && basename(running) === 'npm-cli.js' ? [process.execPath, running] : ['npm']
}

/**
 * One line that says what to do about a failed install.
 *
 * @param {string} output what npm printed.
 * @param {string} [failure] how it ended.
 */
export function explainInstall(output, failure) {
  if (failure === NOT_FOUND)
    return 'npm was not found. It comes with Node: https://nodejs.org/en/download'
  if (/ENOSPC/.test(output)) return 'The disk is full. Make room, then start again.'
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'The packages cannot be written here. Check who owns this folder, then start again.'
  if (/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output))
    return 'The package registry cannot be reached. Check the network, then start again.'
  if (/can only install packages when your package\.json and package-lock\.json/.test(output))
    return 'package-lock.json does not fit package.json. `npm install` brings them together.'
  return 'The packages could not be installed; above is what npm says.'
}
