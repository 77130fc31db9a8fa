import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { inCode } from '../../src/product/folders.mjs'
import { readableProduct } from './readable-product.mjs'

/**
 * Goes on as a program of ours, for which the product's mistakes are readable: in this very process where
 * Node can do that. Older ones stand between: they pass signals on and end as the program ends.
 *
 * @param {string} root the project's folder, whose commands come first on the program's PATH.
 * @param {string} node
 * @param {string[]} program
 */
export function become(root, node, program) {
  const [args, env] = [[readableProduct, ...program], environment(root, node)]
  if (process.execve) process.execve(node, [node, ...args], env)

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal))
  const child = spawn(node, args, { env, stdio: 'inherit' })
  child.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal).kill(process.pid, signal)
    else process.exit(code)
  })
}

/**
 * The environment in which `node` and the project's own commands are the first found.
 *
 * @param {string} root
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(root, node) {
  const path = [join(root, 'node_modules/.bin'), dirname(node), process.env.PATH]
  // Node caches compiled code without its types. A process that finds all code there does not load
  // the compiler that removes types, which saves a quarter of the server's memory.
  const { NODE_COMPILE_CACHE: _, ...others } = process.env
  const folder = codeFolder(root)
  return {
    ...others,
    ...(folder !== undefined && { NODE_COMPILE_CACHE: folder }),
    PATH: path.join(delimiter),
  }
}

/**
 * Where Node keeps code; nowhere for root where others may write there, as it runs what it finds.
 *
 * @param {string} root
 */
function codeFolder(root) {
  if (process.env.NODE_COMPILE_CACHE) return process.env.NODE_COMPILE_CACHE
  const cache = join(root, 'node_modules/.cache')
  const folder = join(cache, 'node')
  if (process.geteuid?.() !== 0 || !existsSync(folder)) return folder
  // Node has a folder for each user there, with their number at its end.
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[^/]*-0(\/|$)/.test(name))
    .map((name) => join(folder, name))
  return [cache, folder, ...own].every(isRootsAlone) ? folder : undefined
}

/** @param {string} path */
function isRootsAlone(path) {
  // Another process may have just replaced it.
  const stat = statSync(path, { throwIfNoEntry: false })
  return !stat || (stat.uid === 0 && (stat.mode & 0o022) === 0)
}

/**
 * Fills Node's compile cache with the server's code before the first server starts.
 *
 * @param {string} root
 * @param {string} node
 */
export function keepServerCode(root, node) {
  spawnSync(node, [inCode('src/server/main.ts'), '--load'], {
    cwd: root,
    env: environment(root, node),
    stdio: 'ignore', // The server itself says what is wrong with it.
  })
}
