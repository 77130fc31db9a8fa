import { expect, test } from 'vitest'
import { findSceneFaults } from '../../scripts/build/check-scene.ts'
import { renderHead } from '../../scripts/build/document.ts'
import { drawIcons } from '../../scripts/build/pictures.ts'
import { readPng } from '../../scripts/chromium/png.ts'
import { productSettings } from '../../src/features/all-rules.ts'
import { languagesOf } from '../../src/product/languages.ts'
import { findProductMistakes, type Product } from '../../src/shared/product.ts'
import { brands } from '../fixtures/brands.ts'

test.each(Object.entries(brands))('%s is a product that a build takes', (_, brand: Product) => {
  expect(findProductMistakes({ ...brand }, productSettings)).toEqual([])
})

test("a founder's own scene keeps the contract as far as its files show", async () => {
  expect(await findSceneFaults('brand/../tests/fixtures/products/aurora')).toEqual([])
})

test.each([
  ['meridian', { logo: 'brand/logo.svg' }, undefined, ''],
  // Of its two logos, favicon.ico has one.
  [
    'librairie',
    { logo: { light: 'brand/logo.svg', dark: 'tests/fixtures/products/warraq.svg' } },
    '#f7efe2',
    ' media="(prefers-color-scheme: light)"',
  ],
  // Of its wordmark, one could read nothing in a tab.
  [
    'northern-lights',
    { icon: 'brand/logo.svg' },
    '#0b1020',
    ' media="(prefers-color-scheme: dark)"',
  ],
] as const)(
  'the icon of %s can be seen on a light tab and on a dark one',
  async (name, own, tile, media) => {
    const product: Product = { ...brands[name], ...own }
    const { 'favicon.ico': icon } = await drawIcons(product)
    // The picture comes after the header of the file. Of its first line, the middle is no logo's.
    const { data } = await readPng(Buffer.from(icon ?? []).subarray(22))
    const [red, green, blue, alpha] = data.subarray(16 * 4)
    const hex = Buffer.of(red ?? 0, green ?? 0, blue ?? 0).toString('hex')
    expect(alpha === 0 ? undefined : `#${hex}`).toBe(tile)
    expect(renderHead(languagesOf(product)[0], null)).toContain(
      `<link rel="icon" href="/brand/logo.svg" type="image/svg+xml"${media}>`,
    )
  },
)
