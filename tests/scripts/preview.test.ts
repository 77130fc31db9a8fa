/** @module-tag thorough */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Preview } from '../../scripts/preview/make.ts'
import { type Program, startProgram } from '../../scripts/program.ts'
import { keptCode } from '../fixtures/kept-code.ts'
import { copyProduct } from '../fixtures/products.ts'

const root = mkdtempSync(join(tmpdir(), 'opening-bell-preview-'))
const config = join(root, 'product.config.ts')
let program: Program
let url: string

beforeAll(async () => {
  copyProduct(root, 'bakery', { look: { light: '#fbf5ea', dark: '#17120c' }, accent: '#b8500c' })
  const letter = '---\nsubject: Offen\nfrom: B <b@example.com>\n---\n# Offen\n\n{{unsubscribe}}\n'
  writeFileSync(join(root, 'launch.md'), letter)
  program = startProgram(process.execPath, [join(root, 'scripts/preview.ts')], {
    cwd: root,
    env: { ...process.env, ...keptCode(root), PORT: '0' },
  })
  url = String((await program.printed(/preview is at (\S+)\/preview/))[1])
}, 300_000)
afterAll(async () => {
  await program.end()
  rmSync(root, { recursive: true })
})

it('the preview names a port that it cannot have in a line', async () => {
  for (const [PORT, line] of [
    [new URL(url).port, /^PORT: \d+ is in use, choose another one\n$/],
    ['abc', /^PORT: is "abc", must be a whole number from 0 to 65535, such as 3000\n$/],
  ] as const) {
    const second = startProgram(process.execPath, [join(root, 'scripts/preview.ts')], {
      cwd: root,
      env: { ...process.env, ...keptCode(root), PORT },
    })
    expect([await second.ended, second.output()]).toEqual([1, expect.stringMatching(line)])
  }
})

const shown = async (): Promise<Preview> => (await fetch(`${url}/preview/preview.json`)).json()

it('the preview has each page, state, letter and picture in each language, and all are there', async () => {
  const { views, languages, schemes } = await shown()
  expect([languages, schemes]).toEqual([
    ['de', 'en'],
    ['light', 'dark'],
  ])
  for (const language of languages) {
    const names = views.filter((one) => one.language === language).map(({ name }) => name)
    for (const name of [
      ...'splash idle loading success error-invalid error-database error-failed'.split(' '),
      ...'confirm-ask unsubscribe-done 404 confirmation launch link-preview'.split(' '),
    ])
      expect(names, language).toContain(name)
  }
  for (const { path } of views)
    for (const scheme of schemes)
      expect((await fetch(`${url}/at/${scheme}/${path}`)).status, path).toBe(200)
})

it('it shows a ground whatever the browser prefers', async () => {
  const { views } = await shown()
  const [first] = views
  const dark = await (await fetch(`${url}/at/dark/${first?.path}`)).text()
  expect(dark).not.toMatch(/@media[^{]*prefers-color-scheme/)
  expect(dark).toMatch(/@media screen and \(min-width:0\)\{/)
})

it('its backend answers as the address says', async () => {
  const answer = async (email: string) =>
    (await fetch(`${url}/api/subscribers`, { method: 'POST', body: JSON.stringify({ email }) }))
      .status
  expect(await answer('ada@example.com')).toBe(201)
  expect(await answer('unavailable@example.com')).toBe(503)
  expect(await answer('failed@example.com')).toBe(429)
})

it('it has no file from elsewhere, and no answer for another name of this machine', async () => {
  expect(await statusOf('/at/light/../../../../etc/passwd')).toBe(404)
  expect(await statusOf('/at/light/%2e%2e/%2e%2e/%2e%2e/etc/passwd')).toBe(404)
  expect(await statusOf('/preview', 'rebound.example')).toBe(421)
})

it('it follows each save, and says what is wrong with one beside what was shown before', async () => {
  const next = expect.poll.bind(expect, shown, { timeout: 100_000 })
  const right = readFileSync(config, 'utf8')
  writeFileSync(config, right.replace('"name":"Brotzeit"', '"name":"Brotzeit Süd"'))
  await next().toMatchObject({ name: 'Brotzeit Süd' })
  writeFileSync(config, right.replace('"Europe/Berlin"', '"Mars/Berlin"'))
  await next().toMatchObject({
    name: 'Brotzeit Süd',
    mistakes: expect.stringMatching(/^product\.config\.ts: zone: is "Mars\/Berlin"/),
  })
  writeFileSync(config, right)
  await next().not.toHaveProperty('mistakes')
}, 300_000)

/** Asked as it stands: `fetch` makes a path tidy and names its own host. */
function statusOf(path: string, host = 'localhost'): Promise<number | undefined> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) =>
    request({ port, host: '127.0.0.1', path, headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end(),
  )
}
