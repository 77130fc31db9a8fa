import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languagesOf, type OfferedLanguage } from '../../src/product/languages.ts'
import type { Product } from '../../src/shared/product.ts'
import { copyProduct, products } from '../fixtures/products.ts'
import { buildProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { leftToTorture } from './long.ts'
import { openConnectedPage, sidewaysRoom, signUp } from './page.ts'

for (const name of ['bakery', 'librairie'] as const) {
  test.describe(`the page of ${name} in two languages`, SERVER, () => {
    leftToTorture(name !== 'librairie')
    const product: Product = products[name]
    const [first, second] = languagesOf(product) as [OfferedLanguage, OfferedLanguage]
    let root: string
    let site: Awaited<ReturnType<typeof startSite>>
    test.describe.configure({ mode: 'default' })
    test.beforeAll(async () => {
      test.setTimeout(180_000)
      root = await mkdtemp(join(tmpdir(), 'opening-bell-languages-'))
      copyProduct(root, name)
      expect(buildProject(root)).toMatchObject({ status: 0, stderr: '' })
      site = await startSite({ root })
    })
    test.afterAll(async () => {
      await site.stop()
      await rm(root, { recursive: true })
    })

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
