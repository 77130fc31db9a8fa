// `npm start` and others: runs a program of ours on Node 24, with everything installed. With `--server`
// first, that is what a server needs, without the tools of the tests; with `--page` next, the page is
// built too. Without a program, nothing is run: an update prepares a version so. Itself runs on Node 20
// and before anything is installed, so it uses nothing but Node.
import { whereNodeWillDo } from './bootstrap/old-node.mjs'

whereNodeWillDo(async () => {
  const { become } = await import('./bootstrap/node-24.mjs')
  const { prepare, root } = await import('./bootstrap/prepare.mjs')
  process.chdir(root)
  const args = process.argv.slice(2)
  const takes = (/** @type {string} */ flag) => args[0] === flag && args.shift() !== undefined
  const withTestTools = !takes('--server')
  const node = await prepare({ withTestTools, withPage: takes('--page') })
  if (args.length > 0) become(root, node, args)
})
