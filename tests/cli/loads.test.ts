import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { homeOnFile } from '../fixtures/home.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')
const tellLoads = `
import { registerHooks } from 'node:module'
const load = (url, context, next) => (console.log('loads ' + url), next(url, context))
registerHooks({ load })`

it('a command loads no code of the others, which would take longer than most of them run', async () => {
  const tool = ['--import', `data:text/javascript,${encodeURIComponent(tellLoads)}`, main, 'list']
  const home = homeOnFile()
  onTestFinished(() => home.store.close())
  await home.store.list.add('ada@example.com')
  const env = { ...process.env, ...home.env }
  const said = execFileSync(process.execPath, tool, { env, encoding: 'utf8', stdio: 'pipe' })
  const loaded = [...said.matchAll(/^loads (.*)$/gm)].map(([, url = '']) => url)
  const packages = loaded.flatMap((url) => /node_modules\/([^/]+)/.exec(url)?.[1] ?? [])
  expect(new Set(packages)).toEqual(new Set(['commander']))
  const commands = loaded.flatMap((url) => /\/cli\/commands\/([\w-]+)\.ts/.exec(url)?.[1] ?? [])
  expect(commands).toContain('list')
  for (const other of ['status', 'import', 'forget', 'check-site'])
    expect(commands).not.toContain(other)
})
