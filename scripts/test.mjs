// `npm test`, and `npm run check`, which leaves out what takes long. Runs on Node 20 and before
// anything is installed, so it uses nothing but Node; the checks themselves are in checks.ts.
import { whereNodeWillDo } from './bootstrap/old-node.mjs'

whereNodeWillDo(async () => {
  const { become } = await import('./bootstrap/node-24.mjs')
  const { prepare, root } = await import('./bootstrap/prepare.mjs')
  process.chdir(root)
  const node = await prepare({ withTestTools: true })
  become(root, node, ['scripts/checks.ts', ...process.argv.slice(2)])
})
