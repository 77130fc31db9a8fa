import { inCode, productFolder } from '../../src/product/folders.mjs'
import { become } from './node-24.mjs'
import { prepare } from './prepare.mjs'
import { ensureFirebase } from './store-packages.mjs'

/** What a clone has as npm scripts, as commands of our tool in a founder's folder. */
const COMMANDS = new Map([
  ['start', { program: 'src/server/main.ts', withPage: true }],
  ['build', { program: 'scripts/build.ts' }],
  ['build:firebase', { program: 'scripts/build-firebase.ts', withFirebase: true }],
])

/**
 * Goes on as one of these commands.
 *
 * @param {string | undefined} name
 * @param {string[]} args
 * @returns {Promise<boolean>} false where it is none of them.
 */
export async function runPackageCommand(name = '', args) {
  const command = COMMANDS.get(name)
  if (!command) return false
  process.chdir(productFolder)
  const node = await prepare({ withPage: command.withPage ?? false })
  if (command.withFirebase) await ensureFirebase(productFolder)
  become(productFolder, node, [inCode(command.program), ...args])
  return true
}
