/**
 * `npm run package`: writes `dist-packages/`, or the folder that is named: the two packages that a
 * maintainer publishes. `opening-bell` is our code as JavaScript, and `create-opening-bell` makes a
 * founder's folder. docs/releasing.md says how.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { replaceFolder } from './build/replace-folder.ts'

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

const { name, version, description, license, type, engines, ...ours } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

await replaceFolder(OUT, async (fresh) => {
  const code = join(fresh, name)
  compile('tsconfig.json', code)
  compile('tsconfig.product.json', code, '--declaration', '--emitDeclarationOnly')
  for (const path of OURS)
    cpSync(path, join(code, path), {
      recursive: true,
      filter: (from) => !NOT_OURS.test(from),
    })
  const shell = join(code, 'index.html')
  writeFileSync(shell, readFileSync(shell, 'utf8').replace('/main.tsx"', '/main.js"'))
  const { dependencies } = ours
  // In a founder's folder npm installs, and does so once: it brings Node with us.
  const { optionalDependencies } = JSON.parse(
    readFileSync('scripts/bootstrap/node/package.json', 'utf8'),
  )
  writeJson(join(code, 'package.json'), {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { 'opening-bell': 'bin/opening-bell.mjs' },
    // For `product.config.ts`: what else is in here is nobody's to import.
    types: 'src/shared/product.d.ts',
    exports: { '.': { types: './src/shared/product.d.ts' }, './package.json': './package.json' },
    dependencies,
    optionalDependencies,
  })

  const creator = join(fresh, `create-${name}`)
  cpSync('create', creator, { recursive: true, filter: (from) => extname(from) !== '.ts' })
  // The rule for a product is the code's own.
  compile('tsconfig.product.json', join(creator, 'rules'), '--rootDir', 'src/shared')
  cpSync('brand/logo.svg', join(creator, 'logo.svg'))
  cpSync('LICENSE', join(creator, 'LICENSE'))
  writeJson(join(creator, 'package.json'), {
    name: `create-${name}`,
    version,
    license,
    type,
    engines,
    description: 'Makes the folder of a coming-soon page: your words, and a lock on a version.',
    bin: { [`create-${name}`]: 'main.mjs' },
  })
})

/** @param folder where it leaves what it makes. */
function compile(config: string, folder: string, ...options: string[]) {
  const args = ['-p', join('scripts/package', config), '--outDir', folder, ...options]
  execFileSync('node_modules/.bin/tsc', args, { stdio: 'inherit' })
}

function writeJson(file: string, value: object) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
