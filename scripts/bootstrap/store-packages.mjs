import { join } from 'node:path'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages } from './packages.mjs'

/**
 * Installs what the store of the settings needs beyond the product's own packages, if anything, and
 * unless it is there: most never need Google's library, and no first start waits for it.
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
