/** @module-tag long */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, it as test } from 'vitest'
import { deskSession } from '../fixtures/desk-cookie.ts'
import { reachableRegistry, startRegistry } from '../fixtures/registry.ts'
import { ended, run } from '../fixtures/run.ts'
import { visitor } from '../fixtures/spawned-server.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

/** What the machine's own npm runs, or what runs this test, would be found first. */
const clean = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) =>
      /^(npm_|INIT_CWD|NODE_COMPILE_CACHE|NODE_ENV|VITEST|STORE|DATA_DIR)/.test(name),
    )
    .map((name) => [name, undefined]),
)

test('somebody makes a folder, opens its page, is found there, and updates with one command', {
  timeout: 300_000,
}, async (context) => {
  const uplink = await reachableRegistry()
  if (!uplink) return context.skip('the registry of npm cannot be reached')
  const registry = await startRegistry(uplink)
  onTestFinished(registry.close)
  const root = tempDir()
  const env: NodeJS.ProcessEnv = { ...clean, ...registry.env, npm_config_yes: 'true' }
  async function npm(cwd: string, ...args: string[]) {
    const { code, stdout, stderr } = await ended(run(cwd, ['npm', ...args], env))
    expect(code, stdout + stderr).toBe(0)
    return stdout
  }
  const git = (cwd: string, ...args: string[]) => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8' })
  }

  // What a maintainer does.
  const made = join(root, 'made')
  execFileSync(process.execPath, ['scripts/package.ts', made])
  for (const name of ['opening-bell', 'create-opening-bell']) await npm(join(made, name), 'publish')

  // What a founder does, on a machine where nothing of ours is.
  const words = ['--name', 'Kestrel', '--pitch', 'It sees it first.', '--git']
  // npm 9 would take what follows for the creator too: so it has it already.
  await npm(
    root,
    'exec',
    '--package=create-opening-bell@latest',
    '--',
    'create-opening-bell',
    '--help',
  )
  // The lock alone: what is installed is what a colleague installs, below.
  env.npm_config_package_lock_only = 'true'
  await npm(root, 'create', 'opening-bell@latest', 'first', '--', ...words)
  delete env.npm_config_package_lock_only
  const first = join(root, 'first')
  git(first, 'add', '.')
  git(first, 'commit', '-qm', 'Begin')
  const held = git(first, 'ls-files').trim().split('\n')
  expect(held).toEqual([
    ...['.gitignore', '.npmrc', 'README.md', 'brand/logo.svg', 'launch.md', 'package-lock.json'],
    ...['package.json', 'product.config.ts'],
  ])

  // What a colleague does: the repository is all it takes.
  const folder = join(root, 'second')
  git(root, 'clone', '-q', first, folder)
  await npm(folder, 'ci')
  const start = async () => {
    const server = run(folder, ['npm', 'start'], { ...env, PORT: '0' })
    const [, url = ''] = await server.printed(/^The server of Kestrel is open at (\S+)$/m)
    await server.printed(/are kept in/)
    return { server, url }
  }
  const { server, url } = await start()
  expect(await (await visitor(url))('ada@example.com')).toBe(201)

  const page = await (await fetch(url)).text()
  expect(page).toContain('<title>Kestrel — Coming Soon</title>')
  expect(page).toContain('It sees it first.')
  const [, script = ''] = /modulepreload" crossorigin href="([^"]+)"/.exec(page) ?? []
  expect((await fetch(url + script)).status).toBe(200)
  const logo = readFileSync(join(folder, 'brand/logo.svg'), 'utf8')
  expect(await (await fetch(`${url}/brand/logo.svg`)).text()).toBe(logo)

  const dataDir = join(folder, 'data')
  const headers = await deskSession({ url, dataDir, appId: 'kestrel' })
  expect(await (await fetch(`${url}/desk`, { headers })).text()).toContain('Kestrel')

  // From wherever they stand: the folder of a stranger has no say.
  const strangers = tempDir()
  writeFileSync(join(strangers, 'product.config.ts'), 'throw new Error("run")')
  const tool = (...args: string[]) =>
    ended(run(strangers, [join(folder, 'node_modules/.bin/opening-bell'), ...args], env))
  expect(await tool('list', '--all')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ada@example.com'),
  })
  const preview = await tool('announce', join(folder, 'launch.md'), '--preview')
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining('Kestrel is open') })
  server.signal('SIGTERM')
  await server.ended

  // A newer version of ours.
  const package2 = join(root, 'newer')
  cpSync(join(made, 'opening-bell'), package2, { recursive: true })
  const its = JSON.parse(readFileSync(join(package2, 'package.json'), 'utf8'))
  writeFileSync(join(package2, 'package.json'), JSON.stringify({ ...its, version: '99.0.0' }))
  await npm(package2, 'publish')
  await npm(folder, 'install', 'opening-bell@latest')
  expect(git(folder, 'diff', '--stat=200').split('\n').slice(0, -1)).toEqual([
    // npm 9 changes one line more.
    expect.stringMatching(/^ package-lock\.json +\| +[68] /),
    expect.stringMatching(/^ package\.json +\| +2 /),
    expect.stringMatching(/^ 2 files changed/),
  ])
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(dependencies).toEqual({ 'opening-bell': '99.0.0' })

  const again = await start()
  expect(again.server.output()).toContain('Building the page')
  expect((await tool('list', '--all')).stdout).toContain('ada@example.com')
  again.server.signal('SIGTERM')
  await again.server.ended

  // They pull it, and install nothing.
  writeFileSync(
    join(folder, 'package-lock.json'),
    readFileSync(join(folder, 'package-lock.json'), 'utf8').replaceAll('99.0.0', '99.0.1'),
  )
  expect(await ended(run(folder, ['npm', 'start'], env))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'package-lock.json has opening-bell 99.0.1, and 99.0.0 is installed: run "npm ci".',
    ),
  })
  expect(existsSync(join(first, 'data'))).toBe(false)
})
