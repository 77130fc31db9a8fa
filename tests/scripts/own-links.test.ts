import { expect, it } from 'vitest'
import { findDeadLinks } from '../../scripts/build/own-links.ts'
import { languagesOf } from '../../src/product/languages.ts'
import type { Product } from '../../src/shared/product.ts'
import { products } from '../fixtures/products.ts'

const found = (links: Record<string, string>, own: string[], publicUrl: string | null = null) =>
  findDeadLinks(languagesOf({ ...products.obsidian, links } as Product), publicUrl, own)

it.each([
  ['/imprint', ['imprint.html']],
  ['/imprint/', ['imprint.html']],
  ['/imprint.html#us', ['imprint.html']],
  ['/imprint?a=b', ['imprint.htm']],
  ['/imprint', ['imprint']],
  ['/legal', ['legal/index.html']],
  ['/legal/', ['legal/index.html']],
  ['/legal/privacy', ['legal/privacy.html']],
  ['/%69mprint', ['imprint.html']],
  ['/', []],
  ['https://example.com/imprint', ['imprint.html']],
  ['https://elsewhere.example/imprint', []],
])('a link to %s leads somewhere, with %j', (target, own) => {
  expect(found({ Imprint: target }, own, 'https://example.com')).toEqual([])
})

it.each([
  ['/imprint', ['impressum.html', 'Imprint.html', 'a/imprint.html']],
  ['/imprint/', []],
  ['/legal', ['legal/a.html']],
  ['/press/index', ['press/index.html']],
  ['https://example.com/imprint', []],
])('a link to %s leads nowhere, with %j', (target, own) => {
  const path = new URL(target, 'https://example.com').pathname
  expect(found({ Imprint: target }, own, 'https://example.com')).toEqual([
    `product.config.ts: links: "Imprint" leads to ${path}, where nothing is: public${path.replace(/\/$/, '')}.html would be there`,
  ])
})

it('a link of each language is looked at, and none to another site where that is not known', () => {
  const languages = languagesOf(products.bakery as Product)
  const own = ['impressum.html', 'datenschutz.html', 'imprint.html']
  expect(findDeadLinks(languages, null, own)).toEqual([
    'product.config.ts: languages: en: links: "Privacy" leads to /privacy, where nothing is: public/privacy.html would be there',
  ])
  expect(found({ Imprint: 'https://example.com/imprint', Home: '/' }, [])).toEqual([])
})
