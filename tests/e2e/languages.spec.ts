import type { Product } from '../../src/shared/product.ts'
import { fill } from '../../src/shared/sentence-slots.ts'
import { sentences, type Words } from '../../src/shared/sentences.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { en } from '../../src/words/en.ts'
import { copyProduct, products } from '../fixtures/products.ts'
import { axeFindings } from './accessibility.ts'
import { type BuiltSite, startBuilt } from './built-site.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { openPage, sidewaysRoom, signUp } from './page.ts'
import { REFUSED } from './states.ts'
import { expectNothingMoves } from './stillness.ts'

/** English, and four tenths longer, as far as it may be. */
const longer = Object.fromEntries(
  Object.entries(en).map(([name, text]) => {
    const more = `${text} ${'langerer Worte viele mehr '.repeat(9).slice(0, text.length * 0.4)}`
    return [name, more.slice(0, sentences[name as keyof Words]).trim()]
  }),
)

const shown = {
  kestrel: { words: longer, opensAt: { at: '2027-03-06T07:00', zone: 'Europe/Berlin' } },
} satisfies Partial<Record<keyof typeof products, Partial<Product>>>

for (const name of Object.keys(shown) as (keyof typeof shown)[]) {
  test.describe(`the page of ${name}`, SERVER, () => {
    const product: Product = { ...products[name], ...shown[name] }
    const { words, language, dir } = catalogueOf(product)
    let site: BuiltSite
    test.describe.configure({ mode: 'default' })
    test.beforeAll(async () => {
      test.setTimeout(180_000)
      site = await startBuilt((root) => copyProduct(root, name, shown[name]))
    })
    test.afterAll(() => site.stop())

    test('says in its language what it says, in every state, and nothing moves', async ({
      page,
      browserConsole,
    }) => {
      test.slow()
      browserConsole.expect(REFUSED)
      // High enough that nothing has to be scrolled.
      await page.setViewportSize({ width: 320, height: 1200 })
      await expectNothingMoves(page, site.url, words)
      await expect(page).toHaveTitle(fill(words.title, { name: product.name }))
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      expect(await page.evaluate(() => document.documentElement.dir || 'ltr')).toBe(dir)
      await expect(page.getByRole('heading', { name: words.heading })).toBeVisible()
      await expect(signUp(page, words).email).toHaveCSS('direction', 'ltr')
    })

    test('fits every window, and has no barrier', async ({ page, browserConsole }) => {
      browserConsole.expect(/Failed to load resource.*404/)
      await openPage(page, site.url)
      for (const width of [1440, 768, 360, 320]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await sidewaysRoom(page), `${width} px`).toBe(0)
      }
      expect(await axeFindings(page)).toEqual([])
      for (const path of ['/nowhere', '/unsubscribe/broken']) {
        await page.goto(site.url + path)
        expect(await sidewaysRoom(page), path).toBe(0)
      }
    })
  })
}
