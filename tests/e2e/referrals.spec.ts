import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { en } from '../../src/words/en.ts'
import { axeFindings } from './accessibility.ts'
import { type ConfirmingSite, startConfirmingSite } from './confirming-site.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { openConnectedPage, openPage, signUp } from './page.ts'

test.describe('a page with personal links', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let started: ConfirmingSite
  let own: string
  let site: ConfirmingSite['site']
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    started = await startConfirmingSite(product, { REFERRALS: 'on' })
    ;({ own, site } = started)
  })
  test.afterAll(() => started.stop())

  async function confirm(page: Page, email: string) {
    await page.goto(await started.linkTo(email))
    await expect(page.locator('.share')).toHaveCount(0)
    expect(site.subscribers()).not.toContain(email)
    await page.getByRole('button').first().click()
    await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
    expect(site.subscribers()).toContain(email)
    await expect(page.getByText('This link is yours alone.')).toBeVisible()
  }

  test('gives one to who has confirmed, to copy, by which a friend signs up', async ({ page }) => {
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
    await signUp(page).submit('ada@example.com')
    await expect(signUp(page).status).toContainText(en.letterSent)
    await expect(page.locator('.share')).toHaveCount(0)
    await confirm(page, 'ada@example.com')
    const links = page.locator('.share').getByRole('link')
    await expect(links).toHaveText(['Copy link'])
    expect(await axeFindings(page)).toEqual([])
    await links.click()
    await expect(links).toHaveText('Link copied')
    const link = await page.title()
    expect(link).toMatch(new RegExp(`^${own}/\\?by=[\\w-]{22}&ref=friend-copy$`))

    // The same browser is signed in already.
    await openPage(page, link)
    await signUp(page).submit('bob@example.com')
    await confirm(page, 'bob@example.com')
    expect(await links.getAttribute('href')).not.toBe(link)
    expect(site.brought()).toBe(1)
  })
})
