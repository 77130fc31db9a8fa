// Read from the version to come, which is whole while the installed one may be half of each.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findNode } from './find-node.mjs'
import { goOnAs } from './node-24.mjs'
import { orSayWhy, SetupError } from './setup-error.mjs'

/**
 * Whether `update` with these arguments may end what was interrupted: not where it asks for something
 * else, or for what is misspelt.
 *
 * @param {string[]} args
 */
export function mayEnd(args) {
  const text = /** @type {const} */ ({ type: 'string' })
  try {
    parseArgs({ args, options: { stop: text, start: text, 'ready-within': text } })
    return true
  } catch {
    return false
  }
}

/**
 * Ends an update that was interrupted, and ends as that does.
 *
 * @param {string} root the installation.
 */
export function end(root) {
  return orSayWhy(async () => {
    // Node would keep its code in a folder that changes places.
    const { NODE_COMPILE_CACHE: _, ...env } = process.env
    const rest = join(root, '.update/next/src/cli/update/end.ts')
    goOnAs(someNode(root), [rest, root], env)
  })
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
