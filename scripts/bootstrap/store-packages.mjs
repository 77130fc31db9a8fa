import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeFolder } from '../../src/product/folders.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages, readPackages } from './packages.mjs'

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
 * Installs nothing where the tools of the tests, or a founder's own package.json, have brought the same
 * packages: two copies in one process would not know each other's objects.
 *
 * @param {string} root
 * @param {string} room of our code, which has a lock file of its own.
 * @param {string} what it is.
 * @param {NodeJS.WriteStream} out
 */
async function ensureExtra(root, room, what, out) {
  const folder = join(codeFolder, room)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const there = readPackages(join(root, 'node_modules/.package-lock.json')) ?? {}
  const isThere = (/** @type {string} */ name) =>
    there[`node_modules/${name}`]?.version === dependencies[name]
  if (Object.keys(dependencies).every(isThere)) return
  const install = () => ensurePackages({ [what]: folder }, { withTestTools: false }, out)
  await oneAtATime(folder, install, out)
}
