import { join, relative } from 'node:path'
import { isPackage, productFolder } from '../../product/folders.mjs'

const TOOL = join(productFolder, isPackage ? 'node_modules/.bin' : 'bin', 'opening-bell')

/**
 * A command of this tool as the operator can type it in the current folder. It uses the path, since
 * `npx` outside of the founder's folder would download and run a package of our name from the registry.
 */
export function commandLine(words: string): string {
  // `as-service.mjs` sets this: another way in has other rights and other settings.
  const asService = process.env.OPENING_BELL_COMMAND
  if (asService) return `${asService} ${words}`
  const path = relative(process.cwd(), TOOL)
  return `${path.startsWith('..') ? TOOL : path} ${words}`
}
