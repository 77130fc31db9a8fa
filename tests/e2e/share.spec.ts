import product from '../../product.config.ts'
import { axeFindings } from './accessibility.ts'
import { type ConfirmingSite, startConfirmingSite } from './confirming-site.ts'
import { expect, long, SERVER, test } from './fixtures.ts'
import { openConnectedPage, openPageWithoutScript, signUp } from './page.ts'

test.describe('a page that is to be passed on', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let started: ConfirmingSite
  let own: string
  let site: ConfirmingSite['site']
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    started = await startConfirmingSite({ ...product, share: true })
    ;({ own, site } = started)
  })
  test.afterAll(() => started.stop())

  test('offers links after the thank-you, each with a source, and asks nobody else', async ({
    page,
  }) => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', { value: undefined })
      Object.defineProperty(navigator, 'clipboard', {
        value: {
          writeText: async (text: string) => {
            document.title = text
          },
        },
      })
    })
    await openConnectedPage(page, site.url)
    await expect(page.locator('.share')).toHaveCount(0)
    // A scrollbar that comes with them moves nothing aside.
    await expect(page.locator('html')).toHaveCSS('scrollbar-gutter', 'stable')
    await signUp(page).submit('ada@example.com')
    const links = page.locator('.share').getByRole('link')
    await expect(links).toHaveText(['WhatsApp', 'Telegram', 'Email', 'Copy link'])
    for (const [i, way] of ['whatsapp', 'telegram', 'email', 'copy'].entries()) {
      // Where it leads hears nothing of this page.
      await expect(links.nth(i)).toHaveAttribute('rel', 'noreferrer')
      const target = await links.nth(i).getAttribute('href')
      expect(decodeURIComponent(target ?? '')).toContain(`${own}/?ref=share-${way}`)
    }
    expect(await axeFindings(page)).toEqual([])
    expect([...hosts]).toEqual([new URL(site.url).host])
    await links.last().click()
    await expect(links.last()).toHaveText('Link copied')
    await expect(page).toHaveTitle(`${own}/?ref=share-copy`)
  })

  test('offers the sheet of the device where there is one', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.share = async (given) => {
        document.title = given?.url ?? ''
      }
    })
    await openConnectedPage(page, site.url)
    await signUp(page).submit('bob@example.com')
    await page.getByRole('button', { name: 'Pass it on' }).click()
    await expect(page).toHaveTitle(`${own}/?ref=share-sheet`)
    await expect(page.locator('.share').getByRole('link')).toHaveCount(0)
  })

  long('offers them once somebody has confirmed, and not before', async ({ page }) => {
    await openConnectedPage(page, site.url)
    await signUp(page).submit('dora@example.com')
    await page.goto(await started.linkTo('dora@example.com'))
    await expect(page.getByRole('heading', { name: 'Was this you?' })).toBeVisible()
    await expect(page.locator('.share')).toHaveCount(0)
    await page.getByRole('button').first().click()
    await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
    // The last one copies, by a script that the policy allows.
    await expect(page.locator('.share').getByRole('link')).toHaveText([
      ...['WhatsApp', 'Telegram', 'Email', 'Copy link'],
    ])
    expect(await axeFindings(page)).toEqual([])
    expect(site.subscribers()).toEqual(['dora@example.com'])
  })

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false })
    test('offers plain links', async ({ page }) => {
      await openPageWithoutScript(page, site.url)
      await signUp(page).email.fill('cleo@example.com')
      await page.keyboard.press('Enter')
      const links = page.locator('.share').getByRole('link')
      await expect(links).toHaveText(['WhatsApp', 'Telegram', 'Email', new URL(own).host])
    })
  })
})
