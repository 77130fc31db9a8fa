import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, run } from '../fixtures/run.ts'
import { isLong, report } from './form.ts'

interface Package {
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: true
  readonly dev?: true
}

function lockOf(folder: string): [path: string, Package][] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.entries<Package>(packages).filter(([path]) => path !== '')
}

const ours = [
  ...['.', 'scripts/bootstrap/node', 'src/client', 'src/store/firestore', 'tests/emulators'],
  'scripts/mutants',
]
const withLock = [...ours, 'bench/autocannon']

describe.each(withLock)('the lock in %s', (folder) => {
  // "npm run locks" writes the places. Where one is missing, npm fetches a list of all versions first.
  it('names contents that cannot change, and their place in whichever registry is set', () => {
    const wrong = lockOf(folder).filter(
      ([, { integrity, resolved }]) =>
        !integrity?.startsWith('sha512-') || !resolved?.startsWith('https://registry.invalid/'),
    )
    expect(wrong).toEqual([])
  })
})

/** The package that a line of code imports from. */
const IMPORTED =
  /(?:^import |^(?:import|export|\}).* from |\bimport\()'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^'\n]*)?'/gm

it('what serves or builds the page imports no tool of the tests', () => {
  const installed = ['.', 'src/client', 'src/store/firestore'].flatMap((folder) => {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return Object.keys(dependencies)
  })
  const files = globSync(
    ['src/**/*.{ts,tsx}', 'scripts/build/**/*.{ts,tsx}', 'scripts/build*.ts'],
    {
      exclude: (path) => path.endsWith('node_modules'),
    },
  )
  const wrong = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORTED)]
      .filter(([, name = '']) => !installed.includes(name))
      .map(([, name]) => `${file} imports ${name}`),
  )
  expect(wrong).toEqual([])
})

it('no package gets to run a script when it is installed', () => {
  for (const npmrc of ours.map((folder) => `${folder}/.npmrc`))
    for (const line of ['ignore-scripts=true', 'replace-registry-host=always'])
      expect(readFileSync(npmrc, 'utf8').split('\n')).toContain(line)
  // Where npm is called by us, and where no .npmrc can be: a package brings none.
  expect(readFileSync('scripts/bootstrap/packages.mjs', 'utf8')).toContain("'--ignore-scripts'")
})

it('nothing that serves or builds the page has an install script', (context) => {
  const withScripts = lockOf('.').filter(([, one]) => one.hasInstallScript)
  expect(withScripts.filter(([, { dev }]) => !dev)).toEqual([])
  report(context, {
    done: 'packages looked at for install scripts',
    times: lockOf('.').length,
    result: `none but in tools of the tests and of Firestore, where they do not run: ${withScripts.map(([path]) => path.replace('node_modules/', '')).join(', ')}`,
  })
})

/** Licences that ask for no more than their text to go along, or, as MPL and OFL, for the package itself to stay free. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'],
  ...['MIT OR Apache-2.0', '(MIT AND Zlib)', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense'],
])

it('every package has a licence that we may build on', (context) => {
  const packages = lockOf('.')
  expect(packages.filter(([, { license = 'none' }]) => !ALLOWED.has(license))).toEqual([])
  const groups = Map.groupBy(packages, ([, { license = 'none' }]) => license)
  const counts = [...groups].map(([license, all]) => [license, all.length] as const)
  report(context, {
    done: 'packages looked at for their licence',
    times: packages.length,
    result: counts
      .toSorted(([, a], [, b]) => b - a)
      .map(([license, count]) => `${license} ${count}`)
      .join(', '),
  })
})

// In the long form only: what the world finds out is no fault of a change.
if (isLong)
  it('npm audit knows of no vulnerability', async (context) => {
    const { stdout } = await ended(run('.', ['npm', 'audit', '--json', '--fetch-retries=0']))
    const { vulnerabilities } = JSON.parse(stdout)
    if (!vulnerabilities) return context.skip('the registry has no audit endpoint')
    expect(Object.keys(vulnerabilities)).toEqual([])
    report(context, { done: 'npm audit', times: 1, result: 'no vulnerability' })
  })
