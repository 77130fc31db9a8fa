import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { inCode } from '../../src/product/folders.mjs'
import { readableProduct } from './readable-product.mjs'

/**
 * Goes on as another program, in this very process where Node can do that. Older ones stand
 * between: they pass signals on and end as the program ends.
 *
 * @param {string} root the project's folder, whose commands come first on the program's PATH.
 * @param {string} node
 * @param {string[]} args
 */
export function become(root, node, args) {
  const env = environment(root, node)
  if (process.execve) process.execve(node, [node, readableProduct, ...args], env)

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => program.kill(signal))
  const program = spawn(node, [readableProduct, ...args], { env, stdio: 'inherit' })
  program.on('exit', (code, signal) => {
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
  return { ...process.env, NODE_COMPILE_CACHE: codeFolder(root), PATH: path.join(delimiter) }
}

/**
 * @param {string} root
 * @returns {boolean} whether Node has kept any code; `npm ci` takes it away.
 */
export function hasKeptCode(root) {
  return existsSync(codeFolder(root))
}

/** @param {string} root */
function codeFolder(root) {
  return process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node')
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
