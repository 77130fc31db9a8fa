import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const { version, description, license, type, engines, ...ours } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

/** The name of the package of our code. */
export const name: string = ours.name

/** Writes what npm and a founder's editor read of our code: its `package.json`, and the types of the settings. */
export function writeDescription(code: string): void {
  compile('tsconfig.product.json', code, '--declaration', '--emitDeclarationOnly')
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
}

/** Writes the package that makes a founder's folder. */
export function writeCreator(creator: string): void {
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
}

/** Compiles by a `tsconfig` of this folder. @param folder where it leaves what it makes. */
export function compile(config: string, folder: string, ...options: string[]): void {
  const args = ['-p', join('scripts/package', config), '--outDir', folder, ...options]
  execFileSync('node_modules/.bin/tsc', args, { stdio: 'inherit' })
}

function writeJson(file: string, value: object) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
