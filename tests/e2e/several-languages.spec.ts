import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languagesOf, type OfferedLanguage } from '../../src/product/languages.ts'
import type { Product } from '../../src/shared/product.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { copyProduct, products } from '../fixtures/products.ts'
import { buildProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { axeFindings } from './accessibility.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { openConnectedPage, openPage, signUp } from './page.ts'

for (const name of ['bakery', 'librairie'] as const) {
  test.describe(`the page of ${name} in two languages`, SERVER, () => {
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

    test('leads from each to the other at the foot, with the source of the visit', async ({
      page,
    }) => {
      await openPage(page, `${site.url}${first.path}/?ref=hn`)
      for (const [here, there] of [
        [first, second],
        [second, first],
      ] as const) {
        const { language, dir } = catalogueOf(here.product)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        expect(await page.evaluate(() => document.documentElement.dir || 'ltr')).toBe(dir)
        await expect(page.getByRole('heading', { name: here.words.heading })).toBeVisible()
        for (const width of [320, 360, 768, 1440]) {
          await page.setViewportSize({ width, height: 900 })
          expect(
            await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            ),
            `${width} px`,
          ).toBe(0)
        }
        expect(await axeFindings(page)).toEqual([])
        const link = page
          .getByRole('contentinfo')
          .getByRole('link', { name: here.others[there.code] ?? '' })
        await expect(link).toHaveAttribute('lang', there.code)
        await expect(link).toHaveAttribute('hreflang', there.code)
        await link.evaluate((one: HTMLElement) => one.click())
        await page.waitForURL(`${site.url}${there.path}/?ref=hn`)
        await openPage(page, `${site.url}${there.path}/?ref=hn`)
      }
    })

    for (const one of [first, second])
      test(`signs up in ${one.code} where that is asked for, and says so with it`, async ({
        page,
      }) => {
        await openConnectedPage(page, `${site.url}${one.path}/`)
        const { submit, status } = signUp(page, one.words)
        const asked = page.waitForRequest('**/api/subscribers')
        await submit(`${name}.${one.code}@mail.example.com`)
        expect((await asked).postDataJSON()).toMatchObject({ language: one.code })
        await expect(status).toHaveText(one.words.subscribed)
      })

    test.describe('without script', () => {
      test.use({ javaScriptEnabled: false })
      for (const one of [first, second])
        test(`stays in ${one.code}, also where the address is none`, async ({
          page,
          browserConsole,
        }) => {
          browserConsole.expect(/status of 422/)
          await page.goto(`${site.url}${one.path}/`)
          const { email, button, status } = signUp(page, one.words)
          await expect(page.locator('#splash')).toBeHidden({ timeout: 15_000 })
          for (const [typed, said, path] of [
            ['nobody', one.words.invalidEmail, '/subscribe'],
            [`plain.${one.code}@mail.example.com`, one.words.subscribed, '/subscribed'],
          ] as const) {
            await email.fill(typed)
            await button.click()
            await expect(status).toContainText(said)
            expect(page.url()).toBe(site.url + one.path + path)
            await expect(page.locator('html')).toHaveAttribute('lang', one.code)
          }
        })
    })
  })
}
