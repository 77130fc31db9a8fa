// `npm run dev` and others: runs a script of ours on Node 24 with everything installed and the page
// built. Itself runs on Node 20 and before anything is installed, so it uses nothing but Node.
import { become } from './bootstrap/node-24.mjs'
import { prepare, root } from './bootstrap/prepare.mjs'
import { orSayWhy } from './bootstrap/trouble.mjs'

await orSayWhy(async () => {
  process.chdir(root)
  become(root, await prepare({ withTestTools: true, withPage: true }), process.argv.slice(2))
})
