/**
 * `npm run package`: writes `dist-packages/`, or the folder that is named: the two packages that a
 * maintainer publishes. `opening-bell` is our code as JavaScript, and `create-opening-bell` makes a
 * founder's folder. docs/releasing.md says how.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFolder } from './build/replace-folder.ts'
import { compile, name, writeCreator, writeDescription } from './package/parts.ts'

const [OUT = 'dist-packages'] = process.argv.slice(2)

/** What is shipped as it is. Of the folders, what is no TypeScript. */
const OURS = [
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bin/as-service.mjs',
  'bin/opening-bell.mjs',
  'docs',
  'firebase.json',
  'firestore.indexes.json',
  'index.html',
  'scripts/bootstrap',
  'src',
]
/** Reasons and measurements are for who changes the code. */
const NOT_OURS =
  /(^|\/)(node_modules|\.start-[^/]*|\.npmrc)$|^docs\/(decisions|performance|spec-)|^scripts\/bootstrap\/node$|\.tsx?$/

await replaceFolder(OUT, async (fresh) => {
  const code = join(fresh, name)
  compile('tsconfig.json', code)
  writeDescription(code)
  for (const path of OURS)
    cpSync(path, join(code, path), {
      recursive: true,
      filter: (from) => !NOT_OURS.test(from),
    })
  const shell = join(code, 'index.html')
  writeFileSync(shell, readFileSync(shell, 'utf8').replace('/main.tsx"', '/main.js"'))
  writeCreator(join(fresh, `create-${name}`))
})
