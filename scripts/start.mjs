// `npm start`: from a fresh clone to a served page. Runs on Node 20 and before anything is
// installed, so it uses nothing but Node.
import { become } from './bootstrap/node-24.mjs'
import { prepare, root } from './bootstrap/prepare.mjs'
import { orSayWhy } from './bootstrap/trouble.mjs'

await orSayWhy(async () => {
  process.chdir(root)
  become(root, await prepare({ withPage: true }), ['src/server/main.ts'])
})
