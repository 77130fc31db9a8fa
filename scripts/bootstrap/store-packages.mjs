import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeFolder } from '../../src/product/folders.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages } from './packages.mjs'

/**
 * Installs what takes sign-ups in from Firestore, if it is missing: only where the settings name a
 * project, so a first start does not wait for it.
 *
 * @param {string} root
 * @param {NodeJS.WriteStream} out where to say so.
 */
export async function ensureStorePackages(root, out = process.stdout) {
  const { GOOGLE_CLOUD_PROJECT, GOOGLE_APPLICATION_CREDENTIALS } = process.env
  if (!GOOGLE_CLOUD_PROJECT?.trim() && !GOOGLE_APPLICATION_CREDENTIALS?.trim()) return
  await ensureExtra(root, 'src/store/firestore', "Google's Firestore library", out)
}

/**
 * Installs Firebase's library, which the page for Firebase is built with, if it is missing.
 *
 * @param {string} root
 */
export async function ensureFirebase(root) {
  await ensureExtra(root, 'src/client', "Firebase's library", process.stdout)
}

/**
 * @param {string} root
 * @param {string} room of our code, which has a lock file of its own.
 * @param {string} what it is.
 * @param {NodeJS.WriteStream} out
 */
async function ensureExtra(root, room, what, out) {
  const folder = join(codeFolder, room)
  if (areWithTestTools(root, folder)) return
  const install = () => ensurePackages({ [what]: folder }, { withTestTools: false }, out)
  await oneAtATime(folder, install, out)
}

/**
 * Whether the tools of the tests, or a founder's own package.json, have brought the same packages. Two
 * copies in one process would not know each other's objects.
 *
 * @param {string} root
 * @param {string} folder
 */
function areWithTestTools(root, folder) {
  const wanted = readJson(join(folder, 'package.json'))?.dependencies
  /** @param {[string, unknown]} dependency */
  const isThere = ([name, version]) =>
    readJson(join(root, 'node_modules', name, 'package.json'))?.version === version
  return wanted !== undefined && Object.entries(wanted).every(isThere)
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
