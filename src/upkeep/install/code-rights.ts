import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The parts of an installation that are run, or made into the page. Others may be a list or a key.
 */
const CODE = [
  ...['bin', 'brand', 'dist', 'index.html', 'node_modules', 'package-lock.json', 'package.json'],
  ...['product.config.ts', 'public', 'scripts', 'src', 'vite.config.ts', '.npmrc'],
]
/** Folders that a start makes in there, for one user each. */
const NOT_RUN = /^(\.cache|\.start-.*)$/

/** A file of the code that does not belong to root, that others can change, or that others cannot read. */
export interface Wrong {
  readonly path: string
  readonly why: 'not-roots' | 'changeable' | 'unreadable'
}

/** Tells what is wrong with the rights of a file; `undefined` for nothing. */
export type Rule = (stat: Stats) => Wrong['why'] | undefined

/** Code that root runs must belong to root alone. */
export const rootsAlone: Rule = (stat) => {
  if (stat.uid !== 0) return 'not-roots'
  return (stat.mode & 0o022) === 0 ? undefined : 'changeable'
}

/** @returns the first folder above a path in which another user could replace it. */
export function wrongAbove(path: string, rule: Rule): Wrong | undefined {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const stat = lstatSync(parent)
    // In a sticky folder, such as /tmp, other users cannot replace root's files.
    const why = (stat.mode & 0o1000) === 0 ? rule(stat) : undefined
    if (why) return { path: parent, why }
    if (parent === dirname(parent)) return undefined
  }
}

/** Each file of an installation's code with which something is wrong. */
export function* wrongCode(root: string, rule: Rule): Generator<Wrong> {
  const why = rule(lstatSync(root))
  if (why) yield { path: root, why }
  for (const name of CODE) yield* wrongIn(join(root, name), rule)
}

/** Each file at or in a path with which something is wrong. */
export function* wrongIn(path: string, rule: Rule): Generator<Wrong> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  // The target of a link is elsewhere, and is checked there.
  if (!stat || stat.isSymbolicLink()) return
  const why = rule(stat)
  if (why) yield { path, why }
  if (!stat.isDirectory()) return
  for (const name of readdirSync(path))
    if (!NOT_RUN.test(name)) yield* wrongIn(join(path, name), rule)
}
