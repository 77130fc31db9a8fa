#!/usr/bin/env node
// The operator's tool. Runs on Node 20, where npm may have started it, and goes on as Node 24.
import { whereNodeWillDo } from '../scripts/bootstrap/old-node.mjs'

whereNodeWillDo(async () => {
  const { existsSync, statSync } = await import('node:fs')
  const { join } = await import('node:path')

  const [name, ...args] = process.argv.slice(2)
  // An update that was interrupted is ended by the version beside, while that is whole: this one may be
  // half of each, so nothing of it is read before that.
  const work = join(import.meta.dirname, '../.update')
  if (name === 'update' && existsSync(join(work, 'state.json'))) {
    const next = join(work, 'next')
    // Code that another user may have put there is not run; the installed program names it.
    const isRoot = process.geteuid !== undefined && process.geteuid() === 0
    const isOthers = ({ uid = 0, mode = 0 }) => isRoot && (uid !== 0 || (mode & 0o022) !== 0)
    if (
      existsSync(join(next, 'node_modules')) &&
      ![work, next].some((path) => isOthers(statSync(path)))
    ) {
      const { pathToFileURL } = await import('node:url')
      await import(pathToFileURL(join(next, 'bin/opening-bell.mjs')).href)
      return
    }
  }

  const { inCode, isPackage, productFolder } = await import('../src/product/folders.mjs')
  const { become, ensureNode, ownNode } = await import('../scripts/bootstrap/node-24.mjs')
  const { oneAtATime } = await import('../scripts/bootstrap/one-at-a-time.mjs')
  const { ensureStorePackages } = await import('../scripts/bootstrap/prepare.mjs')
  const { SetupError } = await import('../scripts/bootstrap/setup-error.mjs')

  if (isPackage) {
    const { runPackageCommand } = await import('../scripts/bootstrap/package-commands.mjs')
    if (await runPackageCommand(name, args)) return
  } else if (!existsSync(join(productFolder, 'node_modules/commander'))) {
    throw new SetupError('The packages are not installed yet: run "npm ci" first.')
  }
  // A command's output may go into a file.
  const { stderr } = process
  const installed = () => ensureNode(productFolder, undefined, stderr)
  const node = ownNode() ?? (await oneAtATime(productFolder, installed, stderr))
  await ensureStorePackages(stderr)
  // `npm run` goes to the project's folder; file names are meant from where the operator stands.
  if (process.env.npm_lifecycle_event === 'operator' && process.env.INIT_CWD)
    process.chdir(process.env.INIT_CWD)
  const tool = inCode('src/cli/main.ts')
  become(productFolder, node, [tool, ...process.argv.slice(2)])
})
