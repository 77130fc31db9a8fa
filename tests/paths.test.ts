/** @module-tag thorough */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { homeOnFile } from './fixtures/home.ts'
import { launchPad } from './fixtures/launch-pad.ts'
import { ended } from './fixtures/run.ts'
import { copyOfServer } from './fixtures/server-copy.ts'
import { startedServer, visitor } from './fixtures/spawned-server.ts'
import { tempDir } from './fixtures/temp-dir.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The files of a path, in the order of its list. */
const [signUp = [], letter = []] = read('docs/paths.md')
  .split(/^## /m)
  .slice(1)
  .map((part) => [...part.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file))

const isOfBrowser = (file: string) => /^src\/(web|client)\//.test(file)

function importsOf(file: string): string[] {
  const found = read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)
  return [...found].map(([, path = '']) => join(dirname(file), path))
}

/** The files of which a process ran a function, by what V8 counted. */
function ranIn(coverage: string): Set<string> {
  const counted = globSync('*.json', { cwd: coverage }).flatMap(
    (name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')).result as Script[],
  )
  const ran = counted.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]?.count),
  )
  return new Set(ran.map(({ url }) => url.replace(/^.*\/(?=src\/)/, '')))
}

interface Script {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly count: number }[]
  }[]
}

it('the paths of a sign-up and of a letter are short, of files that are there', () => {
  for (const [files, most] of [
    [signUp, 14],
    [letter, 20],
  ] as const) {
    expect(files.length).toBeGreaterThan(9)
    expect(files.length).toBeLessThanOrEqual(most)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  }
})

it('what runs in a browser leads from file to file, or both know the same interface', () => {
  const knows = (file = '') => [file, ...importsOf(file)]
  for (const [at, file] of signUp.slice(0, 4).entries())
    expect(knows(file).some((one) => at === 0 || knows(signUp[at - 1]).includes(one))).toBe(true)
  expect(signUp.findLastIndex((file) => isOfBrowser(file))).toBe(2)
})

it('a sign-up and a letter run through the files of their paths', async () => {
  const [there, sent] = [tempDir(), tempDir()]
  const home = homeOnFile()
  const env = { ...home.env, NODE_V8_COVERAGE: there }
  const { server, origin } = await startedServer(copyOfServer(), env)
  expect(await (await visitor(origin))('ada@example.com')).toBe(201)
  await expect.poll(() => home.store.list.count()).toBe(1)
  await server.end()
  const ran = ranIn(there)
  expect(signUp.filter((file) => !isOfBrowser(file) && !ran.has(file))).toEqual([])

  // Whoever is so quick looks like a robot.
  await home.store.quarantine.release(['ada@example.com'])
  const pad = await launchPad(0, { home })
  const announce = ['announce', pad.launch, '--rate', '1000', '--dns-server', pad.dns.server]
  const { code, stderr } = await ended(pad.start(announce, { NODE_V8_COVERAGE: sent }))
  expect([code, stderr]).toEqual([0, expect.anything()])
  expect(pad.inboxes()).toEqual(['ada@example.com'])
  const told = ranIn(sent)
  expect(letter.filter((file) => !told.has(file))).toEqual([])
})
