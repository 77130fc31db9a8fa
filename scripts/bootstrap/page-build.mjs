import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { codeFolder, inCode, isPackage } from '../../src/product/folders.mjs'
import { environment } from './node-24.mjs'
import { readableProduct } from './readable-product.mjs'
import { SetupError } from './setup-error.mjs'
import { step } from './step.mjs'

/** What the page is made of in the founder's folder. */
const WORDS = ['brand', 'package-lock.json', 'product.config.ts', 'public']

/** What it is made of in our code. */
const CODE = [
  ...['index.html', 'package.json', 'scripts/build', 'scripts/build.ts', 'scripts/build.js'],
  ...[
    'src/client',
    'src/desk/contract',
    'src/desk/page',
    'src/features',
    'src/product',
    'src/scenes',
  ],
  ...['src/shared', 'src/site', 'src/web', 'src/words'],
]

/** Where `npm run build` leaves the `sourcesStamp` of what it built from. */
export const STAMP = 'dist/built-from'

/**
 * Builds the page, unless the one that is there was built from just these sources.
 *
 * @param {string} root
 * @param {string} node
 * @returns {Promise<boolean>} whether it had to be built.
 */
export async function ensurePage(root, node) {
  if (isBuilt(root)) return false
  try {
    fs.accessSync(root, fs.constants.W_OK)
  } catch {
    // A server runs as another user than the owner of the code.
    const url = process.env.PUBLIC_URL?.trim()
    const command = `${url ? `PUBLIC_URL=${url} ` : ''}npm run build`
    throw new SetupError(
      `The page is not built ${url ? `for PUBLIC_URL=${url}` : 'without a PUBLIC_URL'}, and this user may not write in the project's folder: as its owner, run "${command}", then start again.`,
    )
  }
  const command = [node, readableProduct, inCode('scripts/build.ts')]
  const env = environment(root, node)
  await step('Building the page', command, { cwd: root, env, notes: true })
  return true
}

/**
 * @param {string} root
 * @param {string} [publicUrl]
 */
export function isBuilt(root, publicUrl = process.env.PUBLIC_URL) {
  const stamp = join(root, STAMP)
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === sourcesStamp(root, publicUrl)
}

/**
 * What a page is built from, in one short text: the contents of its sources, as times of files
 * say little after a checkout or a copy, and the settings that are in it.
 *
 * @param {string} root
 * @param {string} [publicUrl]
 */
export function sourcesStamp(root, publicUrl = process.env.PUBLIC_URL) {
  const hash = createHash('sha256').update(publicUrl ?? '')
  for (const name of ['CONFIRM', 'REFERRALS'])
    if (process.env[name]?.trim() === 'on') hash.update(`\0${name}=on`)
  const code = isPackage ? codeFolder : root
  for (const [folder, sources] of /** @type {const} */ ([
    [root, WORDS],
    [code, CODE],
  ]))
    for (const path of sources.flatMap((source) => filesIn(folder, source)))
      hash.update(`\0${path}\0`).update(fs.readFileSync(join(folder, path)))
  return hash.digest('hex')
}

/**
 * In the founder's `public`, the build refuses links, as they may lead out of it or in a circle.
 *
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(root, path) {
  const stat = /^public(\/|$)/.test(path) ? fs.lstatSync : fs.statSync
  const found = stat(join(root, path), { throwIfNoEntry: false })
  if (found?.isFile()) return [path]
  if (!found?.isDirectory()) return []
  return fs
    .readdirSync(join(root, path))
    .filter((name) => name !== 'node_modules' && !name.startsWith('.start-'))
    .sort()
    .flatMap((name) => filesIn(root, `${path}/${name}`))
}
