import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SetupError } from './setup-error.mjs'
import { step } from './step.mjs'

/**
 * @typedef {string | string[]} Names
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, devOptional?: boolean,
 *   optional?: boolean, os?: Names, cpu?: Names, libc?: Names }} Package
 * @typedef {Record<string, Package>} Packages by folder, as in a lock file.
 */

/** As npm names it. @type {{ os: string, cpu: string, libc?: string }} */
const thisMachine = { os: process.platform, cpu: process.arch }
if (process.platform === 'linux') {
  Object.assign(process.report, { excludeNetwork: true }) // Asking for host names can take seconds.
  const { header } = /** @type {{ header: object }} */ (process.report.getReport())
  thisMachine.libc = 'glibcVersionRuntime' in header ? 'glibc' : 'musl'
}

/** What stands here is so whatever a person's own settings of npm say: they are of other projects. */
const install = [
  'ci',
  '--include=optional', // What is built for one kind of machine: Node 24, and parts of Vite.
  ...Object.entries(thisMachine).map(([kind, name]) => `--${kind}=${name}`),
  '--engine-strict=false', // npm itself may run on Node 20.
  '--workspaces=false', // A clone in a folder of somebody's workspace is no part of it.
  '--install-strategy=hoisted', // As the lock has it.
  ...['--dry-run=false', '--package-lock-only=false', '--package-lock=true', '--global=false'],
  '--ignore-scripts', // Said here too: a package cannot bring our .npmrc.
  '--replace-registry-host=always', // The locks name a stand-in.
  ...['--loglevel=error', '--no-audit', '--no-fund'],
  // With npm's default pauses, a failure without network takes minutes.
  ...['--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'],
]

/**
 * Installs what the lock file of a folder names, unless exactly that is there.
 *
 * @param {string} folder
 * @param {string} what it is, for the person.
 * @param {boolean} withTestTools whether those are needed as well.
 * @param {NodeJS.WriteStream} [out] where to say so.
 * @returns {Promise<boolean>} whether something had to be installed.
 */
export async function ensurePackages(folder, what, withTestTools, out = process.stdout) {
  const isMissing = amissIn(folder, withTestTools).length > 0
  if (isMissing) {
    const packages = join(folder, 'node_modules')
    // npm empties the folder that it installs into, and through a link that would be somebody else's.
    if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(packages)
    const command = [...npm(), ...install, withTestTools ? '--include=dev' : '--omit=dev']
    const failure = 'The packages could not be installed; above is what npm says.'
    await step(`Installing ${what}`, command, { cwd: folder, failure, out })
  }
  // Also what was installed by hand, or by a start that was killed before it came to that.
  if (process.geteuid?.() === 0) giveToOwner(folder)
  const left = isMissing ? amissIn(folder, withTestTools) : []
  if (left.length > 0)
    throw new SetupError(
      `npm left out ${left.map((one) => one.replace(/^.*node_modules\//, '')).join(', ')}. Check that the disk has room and the network holds, then start again.`,
    )
  return isMissing
}

/**
 * What of a folder's packages is not as its lock file has it.
 *
 * @param {string} folder
 * @param {boolean} withTestTools
 */
function amissIn(folder, withTestTools) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  if (!wanted)
    throw new SetupError(
      'package-lock.json is missing or broken. `git checkout package-lock.json` brings it back.',
    )
  // npm's own list of what it installed, which it removes first and writes last: a half-finished install
  // has none.
  const listed = readPackages(join(folder, 'node_modules/.package-lock.json')) ?? {}
  const present = Object.entries(listed).filter(([path]) =>
    existsSync(join(folder, path, 'package.json')),
  )
  return amiss(wanted, Object.fromEntries(present), withTestTools)
}

/**
 * The folders of packages that should be there and are not, or are not as they should be. npm calls an
 * install a success in which optional ones failed, even those that hold this machine's programs; and a
 * folder that was copied from another machine has that one's.
 *
 * @param {Packages} wanted
 * @param {Packages} present
 * @param {boolean} withTestTools
 */
export function amiss(wanted, present, withTestTools, machine = thisMachine) {
  // A package that names no machine runs on each.
  const fits = (/** @type {Package} */ { os, cpu, libc }) =>
    Object.entries({ os, cpu, libc }).every(
      ([kind, names]) => names === undefined || [names].flat().includes(Object(machine)[kind]),
    )
  const missing = Object.entries(wanted).filter(([path, one]) => {
    if (path in present || ((one.dev || one.devOptional) && !withTestTools)) return false
    return !one.optional || ((one.os || one.cpu) && fits(one))
  })
  const other = Object.entries(present).filter(([path, found]) => {
    const { version, integrity } = wanted[path] ?? {}
    return found.version !== version || found.integrity !== integrity || !fits(found)
  })
  return [...missing, ...other].map(([path]) => path)
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
 * Where root installs, npm 9, which Debian 13 has, gives some files to whatever user made the package:
 * on this machine, that number may be somebody who could then change code that others run.
 *
 * @param {string} folder whose owner the packages in it get.
 * @throws {SetupError} where that is not allowed.
 */
function giveToOwner(folder) {
  const { uid, gid } = lstatSync(folder)
  /** @param {string} path */
  function give(path) {
    try {
      const found = lstatSync(path)
      // Each folder before its content: its former owner can put nothing there any more, and no link is
      // followed to where it leads.
      if (found.uid !== uid || found.gid !== gid) lchownSync(path, uid, gid)
      if (found.isDirectory()) for (const name of readdirSync(path)) give(join(path, name))
    } catch (cause) {
      // A server that runs replaces the code that it keeps there.
      if (/** @type {NodeJS.ErrnoException} */ (cause).code !== 'ENOENT') throw cause
    }
  }
  try {
    give(join(folder, 'node_modules'))
  } catch (cause) {
    const { code, path } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw new SetupError(
      `${path} cannot be given to the owner of ${folder} (${code}), so another user may change it. Run as a user who may: chown -R -h ${uid}:${gid} '${join(folder, 'node_modules')}'`,
      { cause },
    )
  }
}
