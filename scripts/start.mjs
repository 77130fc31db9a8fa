// `npm start`: from a fresh clone to a served page. Runs on Node 20 and before anything is
// installed, so it uses nothing but Node.
import { whereNodeWillDo } from './bootstrap/old-node.mjs'

whereNodeWillDo(async () => {
  const { become } = await import('./bootstrap/node-24.mjs')
  const { prepare, root } = await import('./bootstrap/prepare.mjs')
  process.chdir(root)
  const { inCode } = await import('../src/product/folders.mjs')
  become(root, await prepare({ withPage: true }), [inCode('src/server/main.ts')])
})
