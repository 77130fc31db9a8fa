import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { homeOnFile } from '../fixtures/home.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')
const tellLoads = `
import { registerHooks } from 'node:module'
const load = (url, context, next) => (console.log('loads ' + url), next(url, context))
registerHooks({ load })`

/** What a program of ours loads, as addresses of files. */
function loadedBy(args: readonly string[], env: Readonly<Record<string, string>> = {}): string[] {
  const tell = ['--import', `data:text/javascript,${encodeURIComponent(tellLoads)}`]
  const options = { env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' } as const
  const said = execFileSync(process.execPath, [...tell, ...args], options)
  return [...said.matchAll(/^loads (.*)$/gm)].map(([, url = '']) => url)
}

it('a command loads no code of the others, which would take longer than most of them run', {
  tags: 'thorough',
}, async () => {
  const home = homeOnFile()
  onTestFinished(() => home.store.close())
  await home.store.list.add('ada@example.com')
  const loaded = loadedBy([main, 'list'], home.env)
  const packages = loaded.flatMap((url) => /node_modules\/([^/]+)/.exec(url)?.[1] ?? [])
  expect(new Set(packages)).toEqual(new Set(['commander']))
  const commands = loaded.flatMap((url) => /\/cli\/commands\/([\w-]+)\.ts/.exec(url)?.[1] ?? [])
  expect(commands).toContain('list')
  for (const other of ['status', 'import', 'forget', 'check-site'])
    expect(commands).not.toContain(other)
})

it('status and a look at the quarantine load nothing that looks for robots', {
  tags: 'thorough',
}, async () => {
  const home = homeOnFile()
  onTestFinished(() => home.store.close())
  await home.store.list.add('ada@example.com')
  for (const command of ['status', 'quarantine']) {
    const loaded = loadedBy([main, command], home.env)
    expect(loaded.some((url) => url.endsWith(`/commands/${command}.ts`))).toBe(true)
    expect(loaded.filter((url) => url.endsWith('/signs/suspicions.ts'))).toEqual([])
  }
})

it('an update loads no store in the processes that only look at the list', {
  tags: 'thorough',
}, () => {
  const step = join(import.meta.dirname, '../../src/cli/update/list-step.ts')
  for (const program of [
    [step, 'look', tempDir()],
    [main, 'update', '--help'],
  ])
    expect(loadedBy(program).filter((url) => /\/sqlite-store\.ts$/.test(url))).toEqual([])
})

it('the desk begins without the code that makes letters, reads and sends them', {
  tags: 'thorough',
}, () => {
  const app = join(import.meta.dirname, '../../src/desk/server/app.ts')
  const letters = /\/(html-to-text|postal-mime|marked)\/|\/src\/mail\/(smtp-mailer|mime)\.ts$/
  const loaded = loadedBy([app])
  expect(loaded.some((url) => url.endsWith('/letters.ts'))).toBe(true)
  expect(loaded.filter((url) => letters.test(url))).toEqual([])
})
