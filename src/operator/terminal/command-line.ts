import { join, relative } from 'node:path'

const TOOL = join(import.meta.dirname, '../../../bin/opening-bell')

/**
 * A command of this tool as the operator can type it, from where they stand. By its path: `npx`
 * would ask the registry for our name wherever it does not find us, and run what it gets.
 */
export function commandLine(words: string): string {
  const path = relative(process.cwd(), TOOL)
  return `${path.startsWith('..') ? TOOL : path} ${words}`
}
