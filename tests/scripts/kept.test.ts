import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { compressFolder } from '../../scripts/build/compress.ts'
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

it('makes anew what is empty, as a machine that lost power leaves it', async () => {
  await draw('png', 'a')
  for (const name of readdirSync(FOLDER)) writeFileSync(join(FOLDER, name), '')
  expect(await draw('png', 'a')).toBe('drawn of png,a')
})

it('compresses a long text once, and each text as it is', { tags: 'thorough' }, async () => {
  const long = Array.from({ length: 10_000 }, (_, i) => i).join()
  const texts = {
    'one.js': long,
    'same.js': long,
    'other.js': `${long}!`,
    'short.js': long.slice(0, 999),
  }
  mkdirSync('first')
  for (const [name, text] of Object.entries(texts)) writeFileSync(join('first', name), text)
  cpSync('first', 'second', { recursive: true })
  await compressFolder('first')
  const keptBefore = readdirSync(FOLDER)
  await compressFolder('second')
  expect(readdirSync(FOLDER)).toEqual(keptBefore)
  // Two long texts, each for two encodings.
  expect(keptBefore).toHaveLength(4)
  for (const folder of ['first', 'second'])
    for (const [name, text] of Object.entries(texts)) {
      const path = join(folder, name)
      expect(brotliDecompressSync(readFileSync(`${path}.br`)).toString()).toBe(text)
      expect(gunzipSync(readFileSync(`${path}.gz`)).toString()).toBe(text)
    }
})
