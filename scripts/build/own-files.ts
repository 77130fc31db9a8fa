import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from '../../src/shared/product.ts'
import { cleanPath } from '../../src/site/own-paths.ts'
import names from './own-names.json' with { type: 'json' }

/** The founder's folder, beside `product.config.ts`. */
const FOLDER = 'public'
/** Our server keeps them all in memory, and they are part of the page's stamp. */
const MOST_FILES = 100
const MOST_BYTES = 5_000_000

/** What is served at the root of the site, or belongs to a host. */
const OURS = Object.values(names).flat()

/** Left in folders by other programs. */
const LITTER = /^(\.DS_Store|\.gitkeep|Thumbs\.db|desktop\.ini)$/

/** What a founder wants to be served as it is. */
export interface OwnFiles {
  /** By their path from the site's root, without a slash in front. */
  readonly files: ReadonlyMap<string, Buffer>
  /** One sentence for each file that cannot be. */
  readonly mistakes: readonly string[]
}

/**
 * Reads the files of one's own, such as `.well-known/security.txt`. None stands over a file or a page
 * of ours, and no link leads out of the folder.
 *
 * @param root the founder's folder.
 */
export function readOwnFiles(root: string, { languages = {}, language = 'en' }: Product): OwnFiles {
  // It may be wrong, which is said elsewhere.
  const codes = Object.keys(Object(languages))
  const taken = new Set(
    [...OURS, ...codes, ...(codes.length > 0 ? [language] : [])].map((one) => one.toLowerCase()),
  )
  const files = new Map<string, Buffer>()
  const mistakes: string[] = []
  let found = 0
  let bytes = 0
  look('')
  if (found > MOST_FILES) mistakes.push(`${FOLDER}: has more than ${MOST_FILES} files`)
  if (bytes > MOST_BYTES)
    mistakes.push(
      `${FOLDER}: has ${bytes} bytes, ${MOST_BYTES} fit: larger files need another host`,
    )
  return { files, mistakes }

  function look(path: string): void {
    const full = join(root, FOLDER, path)
    const stat = lstatSync(full, { throwIfNoEntry: false })
    // Nothing more is looked at in a folder of thousands.
    if (!stat || found > MOST_FILES) return
    const wrong = path ? wrongPath(path) : undefined
    if (wrong) mistakes.push(`${FOLDER}/${path}: ${wrong}`)
    else if (stat.isSymbolicLink())
      mistakes.push(`${join(FOLDER, path)}: is a link, put the file itself there`)
    else if (stat.isDirectory())
      for (const name of readdirSync(full).toSorted()) {
        if (!LITTER.test(name)) look(path ? `${path}/${name}` : name)
      }
    else if (!path || !stat.isFile())
      mistakes.push(`${join(FOLDER, path)}: is no ${path ? 'file' : 'folder'}`)
    else {
      found += 1
      bytes += stat.size
      if (found <= MOST_FILES && bytes <= MOST_BYTES) files.set(path, readFileSync(full))
    }
  }

  function wrongPath(path: string): string | undefined {
    const [top = '', ...below] = path.split('/')
    // Some systems and hosts take `Index.html` for the same, and `desk.html` is at `/desk` too.
    const shown = [top, cleanPath(`/${top}`)?.slice(1) ?? top].map((one) => one.toLowerCase())
    if (shown.some((one) => taken.has(one)))
      return 'the page itself uses this name: leave this file out'
    const name = below.at(-1) ?? top
    if (!/^[\w.~-]+$/.test(name)) return 'may have only letters, digits, ".", "-", "_" and "~"'
    if (name.startsWith('.') && path !== '.well-known')
      return 'begins with a dot, which only .well-known may'
    if (/\.(br|gz)$/.test(name)) return 'ends as our compressed copies do: give it another name'
    return undefined
  }
}
