import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languagesOf, type OfferedLanguage } from '../../src/product/languages.ts'
import type { Product } from '../../src/shared/product.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { phrased } from '../../src/words/phrases.ts'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import { copyProduct, products } from '../fixtures/products.ts'
import { buildProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { axeFindings } from './accessibility.ts'
import { startBookshop } from './confirming-site.ts'
import { expect, long, SERVER, test } from './fixtures.ts'
import { leftToTorture } from './long.ts'
import { openConnectedPage, openPage, openPageWithoutScript, sidewaysRoom, signUp } from './page.ts'
import { layoutShifts } from './stillness.ts'

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

    long(
      'leads from each to the other at the foot, with the source of the visit',
      async ({ page }) => {
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
            expect(await sidewaysRoom(page), `${width} px`).toBe(0)
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
      },
    )

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

    test.describe('without script', () => {
      test.use({ javaScriptEnabled: false })
      for (const one of [first, second])
        test(`stays in ${one.code}, also where the address is none`, async ({
          page,
          browserConsole,
        }) => {
          browserConsole.expect(/status of 422/)
          await openPageWithoutScript(page, `${site.url}${one.path}/`)
          const { email, button, status } = signUp(page, one.words)
          for (const [typed, said, path] of [
            ['nobody', one.words.invalidEmail, '/subscribe'],
            [`plain.${one.code}@mail.example.com`, one.words.subscribed, '/subscribed'],
          ] as const) {
            await email.fill(typed)
            await button.click()
            await expect(status).toContainText(phrased(said, one.code))
            expect(new URL(page.url()).pathname).toBe(one.path + path)
            await expect(page.locator('html')).toHaveAttribute('lang', one.code)
          }
        })
    })

    // From right to left, and first.
    if (name === 'librairie')
      long(
        'has its letter written, and seen side by side, in both at the desk',
        async ({ page, context }) => {
          const { appId } = product
          await context.addCookies([
            await deskCookie({ url: site.url, dataDir: site.dataDir, appId }),
          ])
          await page.goto(`${site.url}/desk/letters/new`)
          await page.getByLabel('Name').fill('launch')
          await page.getByLabel('Subject').fill('فتحنا')
          await page.getByLabel('From').fill('hello@example.com')
          await page.getByLabel('Text').fill('# أهلًا')
          await page.getByRole('button', { name: 'Save' }).click()
          await page.getByRole('link', { name: 'Add French' }).click()
          await expect(page.getByLabel('Text')).toHaveValue('# أهلًا')
          await page.getByLabel('Subject').fill('Nous sommes ouverts')
          await page.getByLabel('Text').fill('# Entrez')
          expect(await axeFindings(page)).toEqual([])
          await page.getByRole('button', { name: 'Save' }).click()
          await expect(page).toHaveURL(/\/launch\?language=fr$/)
          const arabic = page.locator('figure:visible', { hasText: 'Arabic' })
          const french = page.locator('figure:visible', { hasText: 'French' })
          for (const [width, isBeside] of [
            [360, false],
            [768, true],
            [1440, true],
          ] as const) {
            await page.setViewportSize({ width, height: 900 })
            await french.scrollIntoViewIfNeeded()
            for (const [figure, heading] of [
              [arabic, 'أهلًا'],
              [french, 'Entrez'],
            ] as const)
              await expect(
                figure.frameLocator('iframe').getByRole('heading', { name: heading }),
              ).toBeVisible()
            const [one, other] = [await arabic.boundingBox(), await french.boundingBox()]
            expect(one?.y === other?.y, `${width} px`).toBe(isBeside)
            expect(await sidewaysRoom(page)).toBe(0)
          }
          expect(await axeFindings(page, { without: 'iframe' })).toEqual([])
        },
      )
  })
}

test.describe('a bookshop in Arabic and French that asks to confirm', SERVER, () => {
  leftToTorture()
  const [{ words }] = languagesOf(products.librairie)
  let shop: Awaited<ReturnType<typeof startBookshop>>
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    shop = await startBookshop()
  })
  test.afterAll(() => shop.stop())

  test.describe('at 320 px', () => {
    test.use({ viewport: { width: 320, height: 1200 }, timezoneId: 'UTC' })
    test('stands still while its date turns to the zone of the visitor', async ({ page }) => {
      await openConnectedPage(page, `${shop.own}/ar/`)
      await expect(page.getByRole('time')).toContainText('UTC')
      expect(await layoutShifts(page)).toEqual([])
    })
  })

  for (const [how, javaScriptEnabled] of [
    ['with', true],
    ['without', false],
  ] as const)
    test.describe(`${how} script`, () => {
      test.use({ javaScriptEnabled })
      test('is signed up at in Arabic, sends the Arabic letter, and is left in Arabic', async ({
        page,
      }) => {
        const email = `${how}@mail.example.com`
        /** Opens the link of this kind in the last letter, and presses the button. */
        const answer = async (kind: 'confirm' | 'unsubscribe', button: string, heading: string) => {
          const link = await shop.linkTo(email, kind)
          expect(link).toContain(`${shop.own}/ar/${kind}/`)
          await page.goto(link)
          await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
          await page.getByRole('button', { name: button, exact: true }).click()
          await expect(page.getByRole('heading', { name: heading })).toBeVisible()
          await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
        }

        if (javaScriptEnabled) await openConnectedPage(page, `${shop.own}/ar/`)
        else await openPageWithoutScript(page, `${shop.own}/ar/`)
        await signUp(page, words).submit(email)
        await answer('confirm', words.yes, words.confirmedHeading)

        await shop.announce()
        expect((await shop.relay.messageTo(email)).subject).toBe('فتحنا')
        await answer('unsubscribe', words.unsubscribeButton, words.unsubscribedHeading)
      })
    })
})
