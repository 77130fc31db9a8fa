import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { Refused } from './refused.mjs'

/** What may be in a folder before: a repository that was begun, with what its host put there. */
const MAY_BE_THERE = new Set(['.git', 'LICENSE'])

/**
 * Refuses a folder that holds something.
 *
 * @param {string} folder
 * @throws {Refused}
 */
export function refuseTakenFolder(folder) {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  if (!stat) return
  if (!stat.isDirectory()) throw new Refused(`${folder} is there already, and is no folder.`)
  const [taken] = readdirSync(folder).filter((name) => !MAY_BE_THERE.has(name))
  if (taken !== undefined)
    throw new Refused(`${folder} is not empty (${taken}): name a new folder.`)
}

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} files by their path in it.
 * @throws {Refused}
 */
export function writeFolder(folder, files) {
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      // Fails if the file was made meanwhile.
      writeFileSync(join(folder, path), text, { flag: 'wx' })
    }
  } catch (cause) {
    throw new Refused(cause instanceof Error ? cause.message : String(cause))
  }
}

/** @param {string} folder */
export function beginRepository(folder) {
  const { status } = spawnSync('git', ['init', '--quiet'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Refused('The files are written, but "git init" failed.')
}

/**
 * Installs what package.json names, and writes the lock.
 *
 * @param {string} folder
 */
export function installPackages(folder) {
  const running = process.env.npm_execpath
  const isNpm = running !== undefined && basename(running) === 'npm-cli.js'
  const [program, ...first] = isNpm ? [process.execPath, running] : ['npm']
  console.log('Installing …')
  const args = [...first, 'install', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit', env: ownEnv() })
  if (status === 0) return
  const place = relative('', folder) || '.'
  throw new Refused(`The files are written, but npm could not install: cd ${place} && npm install`)
}

/** `npm create` names itself as the folder to work in; the new folder is another. */
function ownEnv() {
  const { npm_config_local_prefix: _, npm_config_prefix: __, ...env } = process.env
  return env
}
