import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findNode } from './find-node.mjs'
import { become } from './node-24.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Goes on with an update that was interrupted.
 *
 * @param {string} root the installation.
 * @param {string} rest the program that does the rest.
 */
export function goOn(root, rest) {
  become(root, someNode(root), [rest, root])
}

/**
 * The packages, and npm's Node with them, may be in any of three places.
 *
 * @param {string} root
 * @returns {string}
 */
function someNode(root) {
  const places = [root, join(root, '.update/before'), join(root, '.update/next')]
  for (const place of places.filter((one) => existsSync(join(one, 'node_modules'))))
    try {
      return findNode(place)
    } catch (error) {
      if (!(error instanceof SetupError)) throw error
    }
  return findNode(root)
}
