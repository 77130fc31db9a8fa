import { join, relative } from 'node:path'

const TOOL = join(import.meta.dirname, '../../../bin/opening-bell')

/**
 * A command of this tool as the operator can type it in the current folder. It uses the path, since
 * `npx` outside of the project would download and run a package of our name from the registry.
 */
export function commandLine(words: string): string {
  const path = relative(process.cwd(), TOOL)
  return `${path.startsWith('..') ? TOOL : path} ${words}`
}
