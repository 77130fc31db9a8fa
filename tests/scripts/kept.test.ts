import { chmodSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { kept } from '../../scripts/build/kept.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const FOLDER = 'node_modules/.cache/opening-bell'
let made: string[] = []

async function draw(...from: string[]) {
  const drawn = await kept(from, async () => {
    made.push(from.join())
    return Buffer.from(`drawn of ${from}`)
  })
  return drawn.toString()
}

beforeEach(() => {
  made = []
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(tempDir())
})

it('draws the same once, and what differs in any part anew', async () => {
  for (let i = 0; i < 2; i++) expect(await draw('png', 'a')).toBe('drawn of png,a')
  expect(await draw('pn', 'ga')).toBe('drawn of pn,ga')
  expect(made).toEqual(['png,a', 'pn,ga'])
})

it('takes nothing from where another user may write', async () => {
  await draw('png', 'a')
  for (const name of readdirSync(FOLDER)) writeFileSync(join(FOLDER, name), 'theirs')
  expect(await draw('png', 'a')).toBe('theirs')
  chmodSync(FOLDER, 0o777)
  expect(await draw('png', 'a')).toBe('drawn of png,a')
})

it('keeps nothing for longer than a month', async () => {
  await draw('png', 'a')
  const [old = ''] = readdirSync(FOLDER)
  const then = new Date(Date.now() - 31 * 86_400_000)
  utimesSync(join(FOLDER, old), then, then)
  await draw('png', 'b')
  expect(readdirSync(FOLDER)).not.toContain(old)
})
