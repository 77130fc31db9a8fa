import type { Page } from '@playwright/test'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import { withStore } from '../fixtures/with-store.ts'
import { axeFindings } from './accessibility.ts'
import { expect, SERVER, test } from './fixtures.ts'

/** For axe, on a phone at twice its size, and on a desktop. */
async function judge(page: Page) {
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await axeFindings(page)).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(width)
  }
}

test.describe('the opening at the desk', SERVER, () => {
  test.afterEach(({ page }) => page.goto('about:blank').then(() => {}))

  test('turns on the pages that show it when the command or the clock opens the page', async ({
    freshServer: site,
    page,
  }) => {
    await page.context().addCookies([await deskCookie(site)])
    await page.goto(`${site.url}/desk/opening`)
    await expect(page.locator('.live')).toHaveAttribute('data-status', 'live')
    await judge(page)
    const url = 'https://app.example.com/'
    await page.getByLabel('Where the button leads').fill(url)
    await expect(page.getByLabel(/^Time \(/)).toBeHidden()
    await page.getByLabel('At a time').check()
    await page.getByLabel(/^Time \(/).fill('2099-01-12T09:00')
    await page.getByRole('button', { name: 'Look at what happens' }).click()
    await expect(page.getByText(/2099-01-12 09:00/)).toBeVisible()
    await judge(page)
    await page.goto(`${site.url}/desk/opening`)
    const at = new Date(Date.now() + 3000)
    await withStore(site, (store) =>
      store.opening.set({ url, at, zone: 'UTC', openedAt: undefined }),
    )
    await expect(page.getByText('will lead to')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Open', exact: true })).toBeVisible()
    expect(Date.now()).toBeGreaterThanOrEqual(Number(at))
    await judge(page)
    await page.getByRole('link', { name: 'Close the page again' }).click()
    await judge(page)
  })
})
