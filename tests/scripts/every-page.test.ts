/** @module-tag thorough */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import ours from '../../product.config.ts'
import { compose, renderHead } from '../../scripts/build/document.ts'
import type { LanguagePage } from '../../scripts/build/language-page.ts'
import { plainPage } from '../../scripts/build/plain-page.ts'
import type { Prerender } from '../../scripts/build/prerender.ts'
import { splashOf } from '../../scripts/build/scene.ts'
import { templatesOf } from '../../scripts/build/templates.ts'
import { languagesOf } from '../../src/product/languages.ts'
import { escapeHtml } from '../../src/shared/escape-html.ts'
import type { Product } from '../../src/shared/product.ts'
import { site } from '../../src/site/site.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { en } from '../../src/words/en.ts'
import { textOf } from '../fixtures/forms.ts'
import { products } from '../fixtures/products.ts'

const ROOT = join(import.meta.dirname, '../..')
const shell = readFileSync(join(ROOT, 'index.html'), 'utf8')

let prerender: Prerender
beforeAll(async () => {
  vi.stubEnv('VITE_LANGUAGES', 'on')
  // By its path: its types are those of a browser.
  prerender = await import(join(ROOT, 'src/web/prerender.tsx'))
  return () => vi.unstubAllEnvs()
})

/** Every page of a product in its first language, as a build makes it, without style and script. */
function pagesOf(product: Product): [path: string, html: string][] {
  const [language] = languagesOf(product)
  const { body, openBody } = prerender.renderFirstPage(language, splashOf(product))
  const [head, openHead] = [false, true].map((isOpen) =>
    renderHead(language, 'https://launch.example', { isOpen }),
  ) as [string, string]
  const first = (head: string, body: string) =>
    compose(shell, { language: catalogueOf(product), head, body, style: 'x', script: 'y' })
  const page = {
    language,
    shell,
    head,
    openHead,
    style: 'x',
    confirmStyle: 'x',
    previews: {},
    first: first(head, body),
    open: first(openHead, openBody),
    confirm: true,
    isAsked: true,
    isConfirmedShared: false,
  } as Omit<LanguagePage, 'styleHashes'> as LanguagePage
  const { [site.joinScript(language.path)]: _, ...templates } = templatesOf(page, prerender)
  const notFound = plainPage(page, prerender.renderNotFoundPage(language))
  return Object.entries({ first: page.first, 'not found': notFound, ...templates })
}

it('a picture stands on each page, is asked for last, and costs the script no word', () => {
  vi.stubEnv('VITE_PICTURE_SIZES', '{"brand/bread.avif":[1600,1200],"brand/b.webp":[600,400]}')
  onTestFinished(() => {
    vi.stubEnv('VITE_PICTURE_SIZES', undefined)
  })
  const alt = { en: 'A "loaf"', de: 'Brot' }
  const picture = { file: 'brand/bread.avif', small: 'brand/b.webp', alt }
  const own = { ...ours, look: { ground: '#fbf5ea', picture } }
  const pages = pagesOf(own)
  const [, html = ''] = pages[0] ?? []
  expect(html).toContain(
    '<img src="/brand/bread.avif" alt="A &quot;loaf&quot;" width="1600" height="1200" loading="lazy"',
  )
  expect(html).toMatch(/<source media="[^"]+" srcSet="\/brand\/b\.webp" width="600" height="400"/)
  expect(html.split('loaf')).toHaveLength(2)
  expect(pages.every(([, one]) => one.includes('<picture'))).toBe(true)
})

it('a yes has its sign and the answer of the scene, all other pages have the scene as it is', () => {
  vi.stubEnv('VITE_QUESTION', 'confirmed')
  const pages = pagesOf({ ...ours, question: { ask: 'Where?', kind: 'text' } })
  const isYes = ([path]: [string, string]) => /confirm-(news-)?done|answer-ask/.test(path)
  const plain = pages.filter(([, html]) => !html.includes('type="email"'))
  expect(plain.filter(isYes)).toHaveLength(3)
  for (const [path, html] of plain) {
    expect(html, path).toContain('<div class="backdrop"><i></i></div>')
    expect(html.includes('<main data-status="success"><svg'), path).toBe(isYes([path, html]))
  }
})

it('a product is called on every page as it is written, however awkward', () => {
  const name = 'Zoë\'s "A&B" <Bull> $& $1'
  const pitch = 'Ein Terminal für alle: </script><!-- <b>$`10</b> & mehr.'
  const description = 'It\'s "the" <terminal> für $1 & $&.'
  const emailPlaceholder = '"you" <du@büro.example>'
  const pages = pagesOf({ ...ours, name, pitch, description, emailPlaceholder })
  expect(pages.length).toBeGreaterThan(30)
  const count = (html: string, what: RegExp) => html.match(what)?.length
  for (const [path, html] of pages) {
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(html) ?? []
    expect(title.startsWith(escapeHtml(name)), path).toBe(true)
    const [, alt = ''] = /<img [^>]*alt="([^"]*)"/.exec(html) ?? []
    expect(textOf(alt), path).toBe(name)
    expect(count(html, /<\/script>/g), path).toBe(count(html, /<script[ >]/g))
    expect(html, path).not.toMatch(/<Bull>|<b>|<terminal>|<!--/)
  }
  const [[, first] = [], ...others] = pages
  expect(first).toContain(`<meta name="description" content="${escapeHtml(description)}">`)
  const [, words = ''] = /id="words">(.*?)<\/script>/.exec(String(first)) ?? []
  expect(JSON.parse(words)).toEqual(expect.arrayContaining([pitch, emailPlaceholder]))
  expect(others.some(([, html]) => html.includes('Open now'))).toBe(true)
})

it('has the links of its product at the foot of every page, and its language at the head', () => {
  const { librairie } = products
  const logo = 'tests/fixtures/products/warraq.svg'
  const pages = pagesOf({ ...librairie, logo })
  for (const [path, html] of pages) {
    expect(html, path).toContain('<html lang="ar" dir="rtl">')
    const [foot = ''] = /<footer.*<\/footer>/.exec(html) ?? []
    const [[words, target] = []] = Object.entries(librairie.links)
    expect(foot, path).toContain(`<a href="${target}">${words}</a>`)
    const isWhole = html.includes('id="email"')
    expect(foot.includes('<a href="/fr/" lang="fr" hrefLang="fr">Français</a>'), path).toBe(isWhole)
  }
})

it('tells a link preview whether it is open', () => {
  const pages = new Map(pagesOf(ours))
  const said = (html = '') =>
    [...html.matchAll(/<meta property="og:(?:title|image)" content="([^"]*)">/g)].map(
      ([, one]) => one,
    )
  expect(said(pages.get('first'))).toEqual([
    `${ours.name} — Coming Soon`,
    'https://launch.example/social.png',
  ])
  for (const outcome of [undefined, 'subscribed'] as const)
    expect(said(pages.get(site.openPage(outcome)))).toEqual([
      `${ours.name} — Open now`,
      'https://launch.example/social-open.png',
    ])
})

it('promises no opening to an address that was left on the open page', () => {
  const pages = new Map(pagesOf(ours))
  for (const [step, words, before] of [
    ['ask', en.newsConfirmAsk, en.confirmAsk],
    ['done', en.newsConfirmed, en.confirmed],
  ] as const) {
    const said = textOf(pages.get(site.linkPage('confirm', `news-${step}`)) ?? '')
    expect(said).toContain(words)
    expect(said).not.toContain(before)
  }
})

it('asks a question that waits for a confirmation on the confirmed page alone, and on its own', () => {
  vi.stubEnv('VITE_QUESTION', 'confirmed')
  const pages = pagesOf({ ...ours, question: { ask: 'Where from?', kind: 'text' } })
  const asking = pages.filter(([, html]) => html.includes('Where from?')).map(([path]) => path)
  expect(asking).toEqual([
    ...['ask', 'letter', 'wrong', 'unavailable'].map((step) => site.linkPage('answer', step)),
    ...['done', 'news-done', 'wrong-reply'].map((step) => site.linkPage('confirm', step)),
  ])
})
