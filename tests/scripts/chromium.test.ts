import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { candidates, findChromium } from '../../scripts/chromium/find-chromium.ts'
import { obtainChromium, waysToGet } from '../../scripts/chromium/obtain-chromium.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

function writeStub(folder: string, name: string): string {
  const path = join(folder, name)
  writeFileSync(path, '#!/bin/sh\necho "requires the chromium snap to be installed" >&2\nexit 10\n')
  chmodSync(path, 0o755)
  return path
}

test('CHROMIUM_PATH comes before everything, and then the lightest on the PATH', () => {
  const [first, second] = [tempDir(), tempDir()]
  const chrome = writeStub(first, 'google-chrome')
  const chromium = writeStub(first, 'chromium')
  const shell = writeStub(second, 'chromium-headless-shell')
  const PATH = [first, second].join(delimiter)
  expect(candidates({ PATH }).slice(0, 3)).toEqual([shell, chromium, chrome])
  expect(candidates({ PATH, CHROMIUM_PATH: '/my/own' })).toEqual(['/my/own'])
})

test('a command that is there and does not start is not taken, and the reason is kept', async () => {
  const stub = writeStub(tempDir(), 'chromium')
  const found = await findChromium({ CHROMIUM_PATH: stub })
  expect(found).toEqual({ tried: [expect.stringMatching(/chromium: .*snap/)] })
})

test('a CHROMIUM_PATH that does not start is an error that says so, never another browser', async () => {
  vi.stubEnv('CHROMIUM_PATH', '/no/such/browser')
  expect(await obtainChromium()).toEqual({
    error: expect.stringMatching(/^CHROMIUM_PATH does not start: \/no\/such\/browser: /),
  })
})

test("as root on Debian its own package comes first, elsewhere Playwright's download", () => {
  const debian = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n'
  const playwright = /^playwright install .*chromium$/
  expect(waysToGet(debian, true)).toEqual([
    expect.stringMatching(/^apt-get \S.* update && apt-get .* chromium-headless-shell$/),
    expect.stringMatching(/^apt-get \S.* update && apt-get .* chromium$/),
    expect.stringMatching(playwright),
  ])
  for (const [osRelease, isRoot] of [
    [debian, false],
    ['ID=ubuntu\n', true],
    ['', false],
  ] as const)
    expect(waysToGet(osRelease, isRoot)).toEqual([expect.stringMatching(playwright)])
})
