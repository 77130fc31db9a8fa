import { join } from 'node:path'
import { checkMachine, findNode } from './find-node.mjs'
import { hasKeptCode, keepServerCode } from './node-24.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages } from './packages.mjs'
import { ensurePage } from './page-build.mjs'
import { ensureStorePackages } from './store-packages.mjs'

/** The project's folder. */
export const root = join(import.meta.dirname, '../..')

/**
 * Prepares a clone: packages, Node 24 and, where asked for, the page. Does only what is missing, so
 * it is fast when nothing is.
 *
 * @param {{ withTestTools?: boolean, withPage?: boolean }} needs
 * @returns {Promise<string>} the path of the Node to go on with.
 */
export async function prepare({ withTestTools = false, withPage = false }) {
  checkMachine(root)
  const onWait = () => console.log('Waiting for another start in this folder …')
  return oneAtATime(root, onWait, async () => {
    await ensurePackages(root, { withTestTools })
    // The tools of the tests have it.
    if (!withTestTools) await ensureStorePackages(root)
    const node = findNode(root)
    if (withPage) {
      const isFirst = !hasKeptCode(root)
      if ((await ensurePage(root, node)) || isFirst) keepServerCode(root, node)
    }
    return node
  })
}
