#!/usr/bin/env node
// The operator's tool. Runs on Node 20, where npm may have started it, and goes on as Node 24.
import { whereNodeWillDo } from '../scripts/bootstrap/old-node.mjs'

whereNodeWillDo(async () => {
  const { existsSync } = await import('node:fs')
  const { join } = await import('node:path')
  const { inCode, isPackage, productFolder } = await import('../src/product/folders.mjs')
  const { findNode } = await import('../scripts/bootstrap/find-node.mjs')
  const { become } = await import('../scripts/bootstrap/node-24.mjs')
  const { ensureStorePackages } = await import('../scripts/bootstrap/store-packages.mjs')
  const { SetupError } = await import('../scripts/bootstrap/setup-error.mjs')

  const [name, ...args] = process.argv.slice(2)
  if (isPackage) {
    const { runPackageCommand } = await import('../scripts/bootstrap/package-commands.mjs')
    if (await runPackageCommand(name, args)) return
  } else {
    // An update that was interrupted goes on with its own code: this one may be half of each version.
    const rest = join(productFolder, '.update/next/src/operator/update-main.ts')
    const isUnfinished =
      name === 'update' &&
      !args.includes('--check') &&
      existsSync(rest) &&
      existsSync(join(productFolder, '.update/state.json'))
    if (isUnfinished) {
      const { goOn } = await import('../scripts/bootstrap/unfinished-update.mjs')
      return goOn(productFolder, rest)
    }
    if (!existsSync(join(productFolder, 'node_modules/commander')))
      throw new SetupError('The packages are not installed yet: run "npm ci" first.')
  }
  // What a command prints may be on its way into a file.
  await ensureStorePackages(productFolder, process.stderr)
  // `npm run` goes to the project's folder; file names are meant from where the operator stands.
  if (process.env.npm_lifecycle_event === 'operator' && process.env.INIT_CWD)
    process.chdir(process.env.INIT_CWD)
  const tool = inCode('src/operator/main.ts')
  become(productFolder, findNode(productFolder), [tool, ...process.argv.slice(2)])
})
