// `npm test`, and `npm run check`, which leaves out what takes long. Runs on Node 20 and before
// anything is installed, so it uses nothing but Node; the checks themselves are in checks.ts.
import { become } from './bootstrap/node-24.mjs'
import { prepare, root } from './bootstrap/prepare.mjs'
import { orSayWhy } from './bootstrap/trouble.mjs'

await orSayWhy(async () => {
  process.chdir(root)
  const node = await prepare({ withTestTools: true })
  become(root, node, ['scripts/checks.ts', ...process.argv.slice(2)])
})
