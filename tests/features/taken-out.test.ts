/** @module-tag long */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import product from '../../product.config.ts'
import { buildProject, linkPackages } from '../fixtures/project-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { report } from '../torture/form.ts'

const PROJECT = join(import.meta.dirname, '../..')
const LISTS = [
  ...['rules.ts', 'faces.ts', 'page.tsx', 'desk-page.tsx'].map((list) => `src/features/${list}`),
  'scripts/build/features.ts',
]
/** One that is drawn after the thanks, after the yes and on a page of its own has the most. */
const MOST_LINES = 6
const names = globSync('src/features/*/', { cwd: PROJECT }).map((path) => path.split('/')[2] ?? '')

const isOurs = (path: string) => !/\/(node_modules|\.git|dist[^/]*|data|\.start-[^/]*)$/.test(path)

function copy(): string {
  const root = tempDir()
  cpSync(PROJECT, root, { recursive: true, filter: isOurs })
  linkPackages(root)
  // Some tests run programs as another user.
  chmodSync(root, 0o755)
  return root
}

/** Removes the folder of a feature, its tests, and what names it in the lists. @returns how many lines. */
function takeOut(root: string, name: string): number {
  rmSync(join(root, 'src/features', name), { recursive: true })
  rmSync(join(root, 'tests/features', name), { recursive: true, force: true })
  // Its tests, and those that import from these.
  for (let gone = [`src/features/${name}/`]; gone.length > 0; ) {
    gone = globSync('tests/**/*.ts', { cwd: root }).filter((file) =>
      filesIn(root, file).some((path) => gone.some((one) => path.startsWith(one))),
    )
    for (const file of gone) rmSync(join(root, file))
  }
  return LISTS.reduce((sum, list) => sum + withoutLines(join(root, list), name), 0)
}

/** The files that one names, by an import or in a text. */
function filesIn(root: string, file: string): string[] {
  const named = readFileSync(join(root, file), 'utf8').matchAll(/'([^'\n]+)'/g)
  return [...named].flatMap(([, path = '']) => [path, join(dirname(file), path)])
}

/** Removes the lines that import from the feature, and those with what they imported. */
function withoutLines(file: string, name: string): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  const isImport = (line: string) => line.includes(`/${name}/`)
  const imported = lines
    .filter((line) => line.startsWith('import ') && isImport(line))
    .flatMap((line) => /\{ (.*) \}/.exec(line)?.[1]?.split(', ') ?? [])
  const isIts = (line: string) =>
    isImport(line) || imported.some((one) => new RegExp(`\\b${one}\\b`).test(line))
  const kept = lines.filter((line) => !isIts(line))
  writeFileSync(file, kept.join('\n'))
  return lines.length - kept.length
}

function run(root: string, program: string, ...args: string[]) {
  // The others in their short form.
  const { TORTURE: _, ...env } = process.env
  const done = spawnSync(join(PROJECT, 'node_modules/.bin', program), args, {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  return done.status === 0 ? '' : done.stdout + done.stderr
}

/** The files of the site, by their paths. */
const builtIn = (root: string) =>
  Object.fromEntries(
    globSync('dist/public/**/*.*', { cwd: root })
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'latin1')]),
  )

it.for(names)(
  'all else stays without the folder of %s, and its lines in the lists',
  {
    timeout: 900_000,
  },
  (name, context) => {
    const [whole, root] = [copy(), copy()]
    const lines = takeOut(root, name)
    expect(lines).toBeLessThanOrEqual(MOST_LINES)
    for (const config of ['tsconfig.json', 'tsconfig.web.json', 'tsconfig.tools.json'])
      expect(run(root, 'tsc', '-p', config, '--noEmit', '--incremental', 'false')).toBe('')

    // The page is byte for byte the page with it turned off.
    const off = `export default ${JSON.stringify({ ...product, question: undefined })}`
    for (const folder of [whole, root]) {
      writeFileSync(join(folder, 'product.config.ts'), off)
      expect(buildProject(folder)).toMatchObject({ status: 0 })
    }
    expect(builtIn(root)).toEqual(builtIn(whole))

    expect(run(root, 'vitest', 'run', '--project', 'quick', ...quickTestsIn(root))).toBe('')
    report(context, {
      done: `the folder of ${name}, and its ${lines} lines in the lists, taken out`,
      times: 1,
      result: 'types, page and quick tests are right',
    })
  },
)

/** Without those of the documents, which go on telling of the feature, and of our own tools. */
function quickTestsIn(root: string) {
  const others = /^tests\/(scripts\/|documents|cli\/commands-document)/
  return globSync('tests/**/*.test.ts', { cwd: root })
    .filter((file) => !/^\/\*\* @module-tag/.test(readFileSync(join(root, file), 'utf8')))
    .filter((file) => !others.test(file))
}
