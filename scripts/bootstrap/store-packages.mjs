import { join } from 'node:path'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages } from './packages.mjs'

/**
 * Installs the further packages that the store of the settings needs, if they are missing. Only
 * Firestore has such packages, so a first start does not wait for them.
 *
 * @param {string} root
 * @param {NodeJS.WriteStream} out where to say so.
 */
export async function ensureStorePackages(root, out = process.stdout) {
  if (process.env.STORE?.trim() !== 'firestore') return
  const folder = join(root, 'src/store/firestore')
  const onWait = () => out.write('Waiting for another start in this folder …\n')
  const line = { title: "Installing Google's Firestore library", out }
  await oneAtATime(folder, onWait, () => ensurePackages(folder, { withTestTools: false }, line))
}
