// Plain JavaScript, and nothing but Node: it is also read before anything is installed.
import { join } from 'node:path'

/** The folder of our code: a clone, or `node_modules/opening-bell` in a founder's folder. */
export const codeFolder = join(import.meta.dirname, '../..')

const ownFolder =
  /^(.+?)[\\/]node_modules[\\/](?:\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/])?opening-bell$/

/**
 * The founder's folder: `product.config.ts`, `brand`, the data and the built page. In a clone that is
 * the clone. It follows from the place of our code, never from the current folder: a command that
 * root calls in a stranger's folder must not run that stranger's `product.config.ts`.
 */
export const productFolder = ownFolder.exec(codeFolder)?.[1] ?? codeFolder

/** Whether our code is the package of a founder's folder, and not a clone. */
export const isPackage = productFolder !== codeFolder

/**
 * A file of our code as it is called here. The package has all TypeScript as JavaScript, as Node reads
 * none beneath `node_modules`.
 *
 * @param {string} path such as `src/server/main.ts`
 */
export function codeFile(path) {
  return isPackage ? path.replace(/\.tsx?$/, '.js') : path
}

/**
 * Where a file of our code is, by the path that it has in a clone.
 *
 * @param {string} path
 */
export function inCode(path) {
  return join(codeFolder, codeFile(path))
}
