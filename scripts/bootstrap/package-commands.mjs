import { inCode, productFolder } from '../../src/product/folders.mjs'
import { serverNodeOptions } from '../../src/shared/server-node-options.mjs'
import { become } from './node-24.mjs'
import { ensureExtra, prepare } from './prepare.mjs'

/** What a clone has as npm scripts, as commands of our tool in a founder's folder. */
const PROGRAMS = new Map([
  ['start', { program: 'src/server/main.ts', nodeOptions: serverNodeOptions }],
  ['build', { program: 'scripts/build.ts' }],
  ['build:firebase', { program: 'scripts/build-firebase.ts' }],
])

/**
 * Goes on as one of these commands.
 *
 * @param {string | undefined} name
 * @param {string[]} args
 * @returns {Promise<boolean>} false where it is none of them.
 */
export async function runPackageCommand(name = '', args) {
  const command = PROGRAMS.get(name)
  if (command === undefined) return false
  const { program, nodeOptions = [] } = command
  process.chdir(productFolder)
  const node = await prepare({ withPage: name === 'start' })
  if (name === 'build:firebase') await ensureExtra('src/client', "Firebase's library")
  become(productFolder, node, [...nodeOptions, inCode(program), ...args])
  return true
}
