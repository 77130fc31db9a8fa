import { codeFolder, isPackage, productFolder } from '../../src/product/folders.mjs'
import { findNode, nodeRooms } from './find-node.mjs'
import { keepServerCode } from './node-24.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages, refuseOtherVersion } from './packages.mjs'
import { ensurePage } from './page-build.mjs'
import { SetupError } from './setup-error.mjs'
import { ensureStorePackages } from './store-packages.mjs'

/** The founder's folder, where everything is run. */
export const root = productFolder

/**
 * Prepares a clone: packages, Node 24 and, where asked for, the page. Does only what is missing, so
 * it is fast when nothing is. Beneath `node_modules` we are a package of others, and npm's to install.
 *
 * @param {{ withTestTools?: boolean, withPage?: boolean }} needs
 * @returns {Promise<string>} the path of the Node to go on with.
 */
export async function prepare({ withTestTools = false, withPage = false }) {
  checkPath(root)
  return oneAtATime(root, async () => {
    if (isPackage) refuseOtherVersion(root, codeFolder)
    // An install takes away what code was kept.
    const isInstalled =
      !isPackage &&
      (await ensurePackages({ packages: root, ...nodeRooms(root) }, { withTestTools }))
    // The tools of the tests have it.
    if (!withTestTools || isPackage) await ensureStorePackages(root)
    const node = findNode(root)
    const isBuilt = withPage && (await ensurePage(root, node))
    if (isBuilt || (withPage && isInstalled)) keepServerCode(root, node)
    return node
  })
}

/**
 * Vite takes these signs of a path for those of a URL, of a text or of a pattern.
 *
 * @param {string} folder
 */
function checkPath(folder) {
  const [sign] = /[#?"*]/.exec(folder) ?? []
  if (sign)
    throw new SetupError(
      `The page cannot be built in ${folder}: the path has a ${sign}. Give that folder another name, then start again.`,
    )
}
