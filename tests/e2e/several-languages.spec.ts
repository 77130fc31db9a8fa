import { languagesOf, type OfferedLanguage } from '../../src/product/languages.ts'
import type { Product } from '../../src/shared/product.ts'
import { copyProduct, products } from '../fixtures/products.ts'
import { type BuiltSite, startBuilt } from './built-site.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { leftToTorture } from './long.ts'
import { openConnectedPage, sidewaysRoom, signUp } from './page.ts'

for (const name of ['bakery', 'librairie'] as const) {
  test.describe(`the page of ${name} in two languages`, SERVER, () => {
    leftToTorture(name !== 'librairie')
    const product: Product = products[name]
    const [first, second] = languagesOf(product) as [OfferedLanguage, OfferedLanguage]
    let site: BuiltSite
    test.describe.configure({ mode: 'default' })
    test.beforeAll(async () => {
      test.setTimeout(180_000)
      site = await startBuilt((root) => copyProduct(root, name), expect.any(String))
    })
    test.afterAll(() => site.stop())

    for (const one of [first, second])
      test(`signs up in ${one.code} where that is asked for, says so with it, and leads to the other with its source`, async ({
        page,
      }) => {
        await openConnectedPage(page, `${site.url}${one.path}/?ref=hn`)
        await page.setViewportSize({ width: 320, height: 900 })
        expect(await sidewaysRoom(page)).toBe(0)
        const { submit, status } = signUp(page, one.words)
        const asked = page.waitForRequest('**/api/subscribers')
        await submit(`${name}.${one.code}@mail.example.com`)
        expect((await asked).postDataJSON()).toMatchObject({ language: one.code })
        await expect(status).toHaveText(one.words.subscribed)
        const other = one === first ? second : first
        const link = page.getByRole('link', { name: one.others[other.code] ?? '' })
        await link.evaluate((found: HTMLElement) => found.click())
        await page.waitForURL(`${site.url}${other.path}/?ref=hn`)
      })
  })
}
