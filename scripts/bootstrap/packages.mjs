import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SetupError } from './setup-error.mjs'
import { step } from './step.mjs'

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean,
 *   devOptional?: boolean, os?: string | string[], cpu?: string | string[],
 *   libc?: string | string[] }} Package
 * @typedef {Record<string, Package>} Packages by folder, as in a lock file.
 * @typedef {{ platform: string, arch: string, libc: string }} Machine as npm names them.
 * @typedef {{ withTestTools: boolean, machine?: Machine }} Needs
 */

/**
 * Installs what lock files name, unless exactly that is there.
 *
 * @param {Readonly<Record<string, string>>} rooms folders with a lock file, by what is in them.
 * @param {Needs} needs which of their packages are needed.
 * @param {NodeJS.WriteStream} [out] where to say so.
 * @returns {Promise<boolean>} whether something had to be installed.
 */
export async function ensurePackages(rooms, needs, out = process.stdout) {
  const missing = Object.entries(rooms).filter(([, room]) => amissIn(room, needs).length > 0)
  if (missing.length > 0) {
    const command = [...npm(), ...install, needs.withTestTools ? '--include=dev' : '--omit=dev']
    for (const [, room] of missing) unlinkPackages(join(room, 'node_modules'))
    await step(
      `Installing ${missing.map(([what]) => what).join(' and ')}`,
      missing.map(([, cwd]) => ({ command: /** @type {[string]} */ (command), cwd })),
      { explain: explainInstall, out },
    )
  }
  // Also what was installed by hand, or by a start that was killed before it came to that.
  if (process.geteuid?.() === 0) for (const room of Object.values(rooms)) giveToOwner(room)
  const left = missing.flatMap(([, room]) => amissIn(room, needs))
  if (left.length > 0)
    throw new SetupError(
      `npm left out ${left.map((folder) => folder.replace(/^.*node_modules\//, '')).join(', ')}. Check that the disk has room and the network holds, then start again.`,
    )
  return missing.length > 0
}

/**
 * What of a room's packages is not as its lock file has it.
 *
 * @param {string} room
 * @param {Needs} needs
 */
function amissIn(room, needs) {
  const wanted = readPackages(join(room, 'package-lock.json'))
  if (!wanted)
    throw new SetupError(
      'package-lock.json is missing or broken. `git checkout package-lock.json` brings it back.',
    )
  // npm's own list of what it installed, which it removes first and writes last: a half-finished install
  // has none.
  const present = readPackages(join(room, 'node_modules/.package-lock.json')) ?? {}
  for (const folder of Object.keys(present))
    if (!existsSync(join(room, folder, 'package.json'))) delete present[folder]
  return amiss(wanted, present, needs)
}

/**
 * npm empties the folder that it installs into, and through a link that would be somebody else's.
 *
 * @param {string} path
 */
function unlinkPackages(path) {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(path)
}

/**
 * Where root installs, npm 9, which Debian 13 has, gives some files to whatever user made the package:
 * on this machine, that number may be somebody who could then change code that others run.
 *
 * @param {string} root whose owner the packages in it get.
 * @throws {SetupError} where that is not allowed.
 */
export function giveToOwner(root) {
  const owner = lstatSync(root)
  const packages = join(root, 'node_modules')
  try {
    give(packages, owner)
  } catch (cause) {
    const { code, path } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw new SetupError(
      `${path} cannot be given to the owner of ${root} (${code}), so another user may change it. Run as a user who may: chown -R -h ${owner.uid}:${owner.gid} '${packages}'`,
      { cause },
    )
  }
}

/**
 * Each folder before its content: its former owner can put nothing there any more, and no link is
 * followed to where it leads.
 *
 * @param {string} path
 * @param {{ uid: number, gid: number }} owner
 */
function give(path, { uid, gid }) {
  try {
    const found = lstatSync(path)
    if (found.uid !== uid || found.gid !== gid) lchownSync(path, uid, gid)
    if (!found.isDirectory()) return
    for (const name of readdirSync(path)) give(join(path, name), { uid, gid })
  } catch (cause) {
    // A server that runs replaces the code that it keeps there.
    if (/** @type {NodeJS.ErrnoException} */ (cause).code !== 'ENOENT') throw cause
  }
}

/**
 * Says so when a lock file names another version of us than the one that runs: after a `git pull`,
 * nothing was installed.
 *
 * @param {string} root the founder's folder.
 * @param {string} code where we are.
 */
export function refuseOtherVersion(root, code) {
  const locked = readPackages(join(root, 'package-lock.json'))?.['node_modules/opening-bell']
  const { version } = JSON.parse(readFileSync(join(code, 'package.json'), 'utf8'))
  if (locked?.version === undefined || locked.version === version) return
  throw new SetupError(
    `package-lock.json has opening-bell ${locked.version}, and ${version} is installed: run "npm ci".`,
  )
}

const thisMachine = runningMachine()

/** What stands here is so whatever a person's own settings of npm say: they are of other projects. */
const install = [
  'ci',
  '--include=optional', // What is built for one kind of machine: Node 24, and parts of Vite.
  `--os=${thisMachine.platform}`,
  `--cpu=${thisMachine.arch}`,
  ...(thisMachine.libc === '' ? [] : [`--libc=${thisMachine.libc}`]),
  '--engine-strict=false', // Node 24 comes after the packages.
  '--workspaces=false', // A clone in a folder of somebody's workspace is no part of it.
  '--install-strategy=hoisted', // As the lock has it.
  '--dry-run=false',
  '--package-lock-only=false',
  '--package-lock=true',
  '--global=false',
  '--ignore-scripts', // Said here too: a package cannot bring our .npmrc.
  '--replace-registry-host=always', // The locks name a stand-in.
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
  '--fetch-retry-mintimeout=500', // With npm's default pauses, a failure without network takes minutes.
  '--fetch-retry-maxtimeout=2000',
]

/**
 * The folders of packages that should be there and are not, or are not as they should be. npm calls an
 * install a success in which optional ones failed, even those that hold this machine's programs; and a
 * folder that was copied from another machine has that one's.
 *
 * @param {Packages} wanted
 * @param {Packages} present
 * @param {Needs} needs
 */
export function amiss(wanted, present, { withTestTools, machine = thisMachine }) {
  const missing = Object.entries(wanted).filter(([folder, one]) => {
    if (folder in present || ((one.dev || one.devOptional) && !withTestTools)) return false
    return !one.optional || ((one.os || one.cpu) && fits(one, machine))
  })
  const other = Object.entries(present).filter(([folder, found]) => {
    const { version, integrity } = wanted[folder] ?? {}
    return found.version !== version || found.integrity !== integrity || !fits(found, machine)
  })
  return [...missing, ...other].map(([folder]) => folder)
}

/** @returns {Machine} */
function runningMachine() {
  const { platform, arch, report } = process
  Object.assign(report, { excludeNetwork: true }) // Asking for host names can take seconds.
  const { header } = /** @type {{ header: object }} */ (report.getReport())
  const libc = 'glibcVersionRuntime' in header ? 'glibc' : 'musl'
  return { platform, arch, libc: platform === 'linux' ? libc : '' }
}

/**
 * Whether a package says that it runs on a machine; one that says nothing does.
 *
 * @param {Package} package
 * @param {Machine} machine
 */
function fits({ os, cpu, libc }, { platform, arch, libc: its }) {
  const allows = (/** @type {Package['os']} */ names, /** @type {string} */ name) =>
    names === undefined || [names].flat().includes(name)
  return allows(os, platform) && allows(cpu, arch) && allows(libc, its)
}

/**
 * @param {string} path
 * @returns {Packages | undefined} all but the project itself; undefined when it cannot be read.
 */
export function readPackages(path) {
  try {
    const { '': _project, ...packages } = JSON.parse(readFileSync(path, 'utf8')).packages
    return packages
  } catch {
    return undefined
  }
}

/** How to run the npm that runs us, or else the one on the PATH. */
function npm() {
  const running = process.env.npm_execpath
  return running && basename(running) === 'npm-cli.js' ? [process.execPath, running] : ['npm']
}

/**
 * One line that says what to do about a failed install.
 *
 * @param {{ code?: string | number | null | undefined, stdout?: string, stderr?: string }} failure
 */
export function explainInstall({ code, stdout = '', stderr = '' }) {
  const output = stdout + stderr
  if (code === 'ENOENT')
    return 'npm was not found. It comes with Node: https://nodejs.org/en/download'
  if (/ENOSPC/.test(output)) return 'The disk is full. Make room, then start again.'
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'The packages cannot be written here. Check who owns this folder, then start again.'
  if (/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output))
    return 'The package registry cannot be reached. Check the network, then start again.'
  return 'The packages could not be installed; above is what npm says.'
}
