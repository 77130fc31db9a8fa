// `npm run dev` and others: runs a script of ours on Node 24 with everything installed and, unless
// `--without-page` comes first, the page built. With `--for-server` first, it installs what a server
// needs and no tools of the tests, and builds nothing before the script. Itself runs on Node 20 and
// before anything is installed, so it uses nothing but Node.
import { whereNodeWillDo } from './bootstrap/old-node.mjs'

whereNodeWillDo(async () => {
  const { become } = await import('./bootstrap/node-24.mjs')
  const { prepare, root } = await import('./bootstrap/prepare.mjs')
  process.chdir(root)
  const [first] = process.argv.slice(2)
  const forServer = first === '--for-server'
  const withPage = !forServer && first !== '--without-page'
  const script = process.argv.slice(withPage ? 2 : 3)
  become(root, await prepare({ withTestTools: !forServer, withPage }), script)
})
