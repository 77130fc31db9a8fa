import { join, relative } from 'node:path'
import { environment } from './environment.ts'
import { isPackage, productFolder } from './folders.mjs'

const PROGRAM = join(productFolder, isPackage ? 'node_modules/.bin' : 'bin', 'opening-bell')

/** `as-service.mjs` and the units set this: another way in has other rights and other settings. */
export const asService = () => environment.OPENING_BELL_COMMAND

/**
 * How the operator can call this tool in the current folder. By its path, since `npx` outside of the
 * founder's folder would download and run a package of our name from the registry.
 */
export function toolName(): string {
  const name = asService()
  if (name) return name
  const path = relative(process.cwd(), PROGRAM)
  return path.startsWith('..') ? PROGRAM : path
}

/** A command of this tool as the operator can type it in the current folder. */
export const commandLine = (words: string) => `${toolName()} ${words}`
