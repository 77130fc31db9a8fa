/** @import { Running } from './find-node.mjs' */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkMachine, NODE_ROOM, ownNode, thisNode } from './find-node.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { ensurePackages } from './packages.mjs'

const UNIT = '/etc/systemd/system/opening-bell.service'

/**
 * Installs npm's Node 24, if it is missing and this machine has none that will do. It is larger than
 * all other packages together, so it is no part of them.
 *
 * @param {string} root of a clone: for the package of a founder's folder, npm brings Node.
 * @param {{ out?: NodeJS.WriteStream, after?: Promise<unknown>, unit?: string }} [options] where to say
 *   so, and after what; the unit of systemd that runs the server.
 * @param {Running} [running]
 */
export async function ensureNode(root, options = {}, running = thisNode()) {
  const { out = process.stdout, after, unit = UNIT } = options
  if (ownNode(running) && !runsOnIt(unit)) return
  checkMachine(running)
  const room = join(root, NODE_ROOM)
  const onWait = () => out.write('Waiting for another start in this folder …\n')
  await oneAtATime(room, onWait, () =>
    ensurePackages(room, { withTestTools: false }, { title: 'Installing Node 24', out, after }),
  )
  await after
  const node = `node-${running.platform}-${running.arch}`
  const modules = join(root, 'node_modules')
  link(join('..', NODE_ROOM, 'node_modules', node), join(modules, node))
  link(join('..', node, 'bin/node'), join(modules, '.bin/node'))
}

/**
 * The names that Node had as one of the other packages: services of systemd call it by the first, and
 * npm's scripts find it by the second. `npm ci` takes them away.
 *
 * @param {string} target
 * @param {string} path
 */
function link(target, path) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  } catch {
    // It is there, or the folder is another user's. It is found without them.
  }
}

/**
 * Whether a service was installed before this machine had a Node of its own: its unit stays as it is.
 *
 * @param {string} unit
 */
function runsOnIt(unit) {
  return (
    existsSync(unit) && /^ExecStart=.*\/node_modules\/node-linux-/m.test(readFileSync(unit, 'utf8'))
  )
}
