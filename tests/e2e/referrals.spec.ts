import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { freePort } from '../../scripts/free-port.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { startRelay } from '../fixtures/relay.ts'
import { startSite } from '../fixtures/running-site.ts'
import { axeFindings } from './accessibility.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { openConnectedPage, openPage, openPageWithoutScript, signUp } from './page.ts'

test.describe('a page with personal links', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let root: string
  let own: string
  let relay: Awaited<ReturnType<typeof startRelay>>
  let site: Awaited<ReturnType<typeof startSite>>
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    root = await mkdtemp(join(tmpdir(), 'opening-bell-referrals-'))
    relay = await startRelay()
    const port = String(await freePort())
    own = `http://127.0.0.1:${port}`
    const mail = { SMTP_URL: relay.url, MAIL_FROM: 'hello@example.com' }
    const env = { CONFIRM: 'on', REFERRALS: 'on', PUBLIC_URL: own, ...mail }
    copyProject(root, product)
    expect(buildProject(root, env)).toMatchObject({ status: 0, stderr: '' })
    site = await startSite({ root, port, env })
  })
  test.afterAll(async () => {
    await site.stop()
    await relay.close()
    await rm(root, { recursive: true })
  })

  async function confirm(page: Page, email: string) {
    await expect.poll(() => relay.read).toContain(email)
    const { text = '' } = await relay.messageTo(email)
    await page.goto(/http:\S+\/confirm\/[\w-]+/.exec(text)?.[0] ?? '')
    await expect(page.locator('.share')).toHaveCount(0)
    await page.getByRole('button').first().click()
    await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
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

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false })
    test('gives a plain link, which works as well', async ({ page }) => {
      await openPageWithoutScript(page, site.url)
      await signUp(page).email.fill('cleo@example.com')
      await page.keyboard.press('Enter')
      await confirm(page, 'cleo@example.com')
      const link = page.locator('.share').getByRole('link')
      await expect(link).toHaveText([new URL(own).host])
      await openPageWithoutScript(page, (await link.getAttribute('href')) ?? '')
      await signUp(page).email.fill('dora@example.com')
      await page.keyboard.press('Enter')
      await confirm(page, 'dora@example.com')
      expect(site.brought()).toBe(2)
    })
  })
})
