// Installs what is missing and builds the page, and starts nothing: an update prepares a version with
// it before that one takes the place of another. Uses nothing but Node, as `npm start` does.
import { whereNodeWillDo } from './bootstrap/old-node.mjs'

whereNodeWillDo(async () => {
  const { prepare, root } = await import('./bootstrap/prepare.mjs')
  process.chdir(root)
  await prepare({ withPage: true })
})
