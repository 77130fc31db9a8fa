import { inCode, productFolder } from '../../src/product/folders.mjs'
import { become } from './node-24.mjs'
import { ensureExtra, prepare } from './prepare.mjs'

/** What a clone has as npm scripts, as commands of our tool in a founder's folder. */
const PROGRAMS = new Map([
  ['start', 'src/server/main.ts'],
  ['build', 'scripts/build.ts'],
  ['build:firebase', 'scripts/build-firebase.ts'],
])

/**
 * Goes on as one of these commands.
 *
 * @param {string | undefined} name
 * @param {string[]} args
 * @returns {Promise<boolean>} false where it is none of them.
 */
export async function runPackageCommand(name = '', args) {
  const program = PROGRAMS.get(name)
  if (program === undefined) return false
  process.chdir(productFolder)
  const node = await prepare({ withPage: name === 'start' })
  if (name === 'build:firebase') await ensureExtra('src/client', "Firebase's library")
  become(productFolder, node, [inCode(program), ...args])
  return true
}
