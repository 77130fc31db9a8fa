import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import ours from '../../../product.config.ts'
import { deskSettings } from '../../../src/config/programs.ts'
import type { RenderDesk } from '../../../src/desk/contract/pages.ts'
import german from '../../../src/shared/german.json' with { type: 'json' }
import { speak } from '../../../src/shared/say.ts'
import { slotsIn } from '../../../src/shared/sentence-slots.ts'
import { openDesk } from '../../fixtures/desk.ts'
import { tellStory } from '../../fixtures/desk-stories.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { products } from '../../fixtures/products.ts'

const catalogue = Object.entries(german)

/** Those without a slot that are other words in German. */
const english = new Set(
  catalogue.flatMap(([said, german]) =>
    said !== german && slotsIn(said).length === 0 ? [said] : [],
  ),
)

const letter = '---\nsubject: Wir sind da\nfrom: team@example.org\n---\nKommen Sie herein.\n'

const mail = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'team@example.org',
  UNSUBSCRIBE_URL: 'http://127.0.0.1:9/unsubscribe',
}

/** The desk of a German page, with its real pages, people and two letters: one has mistakes. */
async function germanDesk() {
  // By its path: its types are those of a browser.
  const path = join(import.meta.dirname, '../../../src/desk/page/render.tsx')
  const { renderPage: render } = (await import(path)) as { renderPage: RenderDesk }
  onTestFinished(() => speak('en', {}))
  const home = homeOnFile()
  await tellStory(home.dataDir, { people: 40, days: 5 })
  mkdirSync(join(home.dataDir, 'letters'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home.dataDir, 'letters/start.md'), letter, { mode: 0o600 })
  writeFileSync(join(home.dataDir, 'letters/leer.md'), '---\nfrom: team\n---\n', { mode: 0o600 })
  const product = { ...products.brotzeit, logo: ours.logo }
  return openDesk({ home, env: mail, product, render })
}

test('every page of a German desk says no sentence of ours in English', async () => {
  const { get, post } = await germanDesk()
  const people = (await get('/desk/people')).body.match(/\/desk\/people\/[\w-]{22}/g) ?? []
  expect(people.length).toBeGreaterThan(0)
  const paths = [
    ...['/desk', '/desk?span=hour', '/desk?span=week', '/desk/people', ...people],
    ...['/desk/letters', '/desk/letters/new', '/desk/letters/start', '/desk/letters/start/edit'],
    ...['/desk/letters/leer', '/desk/opening', '/desk/access', '/desk/came', '/desk/referrals'],
    ...['/desk/answers', '/desk/embed'],
  ]
  const opening = { url: 'https://app.example.com', when: 'at', at: '2031-01-12T09:00' }
  const pages = [
    ...paths.map(async (path) => [200, await get(path)] as const),
    ...[[404, await get('/desk/nothing')] as const],
    ...[[200, await post('/desk/opening/look', opening)] as const],
    ...[[422, await post('/desk/opening/look', { ...opening, url: 'x', at: 'x' })] as const],
    ...[[409, await post('/desk/letters/start/check', { rate: 'x' })] as const],
  ]
  for (const [status, { statusCode, body }] of await Promise.all(pages)) {
    expect(statusCode).toBe(status)
    expect(body).toContain('<html lang="de">')
    expect(textsIn(body).filter((text) => english.has(text))).toEqual([])
  }
})

test('no German sentence is left of an English one that nothing says any more', () => {
  const sources = globSync('src/**/*.{ts,tsx,json}').filter((file) => !file.endsWith('german.json'))
  const all = sources.map((file) => readFileSync(file, 'utf8').replaceAll('\\"', '"')).join('')
  const settings = [{}, { SMTP_URL: 'x', PUBLIC_URL: 'x' }].flatMap(
    (env) => deskSettings(env).missing,
  )
  const isSaid = (sentence: string) =>
    all.includes(sentence) || all.includes(sentence.toLowerCase()) || settings.includes(sentence)
  expect(catalogue.map(([said]) => said).filter((said) => !isSaid(said))).toEqual([])
})

test('a German sentence has the slots of the English one', () => {
  const names = (sentence: string) => [...new Set(slotsIn(sentence))].sort()
  for (const [said, german] of catalogue) expect(names(german), said).toEqual(names(said))
})

/** What is read on a page: its text, and the names of its parts. */
function textsIn(html: string): string[] {
  const shown = html
    .replace(/<(script|style|pre)\b.*?<\/\1>/gs, '')
    .replaceAll('<!-- -->', '')
    .matchAll(/>([^<]+)<|(?:aria-label|placeholder|title)="([^"]+)"/g)
  return [...shown].map(([, text = '', name = '']) => (text || name).trim())
}
