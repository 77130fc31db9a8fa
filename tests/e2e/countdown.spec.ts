import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { paths } from '../../src/shared/api.ts'
import { copyProject } from '../fixtures/project-copy.ts'
import { axeFindings } from './accessibility.ts'
import { type BuiltSite, startBuilt } from './built-site.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { intruders, mixedContent } from './intruders.ts'
import {
  holdBack,
  openConnectedPage,
  openPageWithoutScript,
  PAGE_SCRIPT,
  routeFromNow,
  signUp,
} from './page.ts'
import { layoutShifts } from './stillness.ts'

/** A winter's morning in Berlin, across a change of daylight saving from where it is looked at. */
const opensAt = { at: '2027-04-05T09:00', zone: 'Europe/Berlin' }

/**
 * Has the server's answers say this time, and the visitor's clock another, if one is given.
 *
 * @returns moves both on, until it is so late by the server's.
 */
async function setClocks(page: Page, server: string, visitor = server) {
  let passed = 0
  const until = (time: string) => {
    passed = Date.parse(time) - Date.parse(server)
    return page.clock.setFixedTime(Date.parse(visitor) + passed)
  }
  await until(server)
  for (const path of [paths.config, paths.opening])
    await routeFromNow(page, `**${path}`, async (route) => {
      const response = await route.fetch()
      const date = new Date(Date.parse(server) + passed).toUTCString()
      await route.fulfill({ response, headers: { ...response.headers(), date } })
    })
  return until
}

test.describe('the countdown', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let site: BuiltSite
  test.beforeAll(async () => {
    site = await startBuilt((root) => copyProject(root, { ...product, opensAt }))
  })
  test.afterAll(() => site.stop())

  test.describe('far away', () => {
    test.use({ timezoneId: 'Asia/Kolkata' })

    test('is right in each visitor’s zone, second by second, moves nothing, and ends in words', async ({
      page,
    }) => {
      // Timers run; only the time of day stands still.
      const until = await setClocks(page, '2027-03-27T05:58:58.500Z')
      await openConnectedPage(page, site.url)
      const figures = page.getByRole('timer')
      await expect(page.getByText('Opens 5 Apr 2027, 12:30 GMT+5:30')).toBeVisible()
      await expect(figures).toHaveText('09d01h01m02s')
      await until('2027-03-27T05:58:59.500Z')
      await expect(figures).toHaveText('09d01h01m01s')
      await expect(page.locator('time')).toHaveAttribute('datetime', '2027-04-05T07:00:00.000Z')
      expect(await layoutShifts(page)).toEqual([])
      expect(await axeFindings(page)).toEqual([])
      // The specification's words stay.
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Coming Soon')
      await expect(signUp(page).form).toBeVisible()
      await until('2027-04-05T06:59:58.500Z')
      await expect(figures).toHaveText('00d00h00m02s')
      await until('2027-04-05T07:00:00.500Z')
      await expect(figures).toHaveText('Any moment now')
    })
  })

  test('keeps its place under who types as the page turns', async ({ page }) => {
    await page.clock.install({ time: '2027-04-05T06:59:50Z' })
    await openConnectedPage(page, site.url)
    const { email } = signUp(page)
    await email.fill('ada@exam')
    const before = await email.boundingBox()
    await routeFromNow(page, `**${paths.opening}`, (route) =>
      route.fulfill({ json: { open: 'https://app.example.com/' } }),
    )
    await page.clock.fastForward(8000)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open now')
    expect(await email.boundingBox()).toEqual(before)
    await expect(page.getByRole('timer')).toBeHidden()
    // Nor does it go on beneath "Open now", past its end.
    await page.clock.fastForward(8000)
    expect(await page.getByRole('main').innerText()).not.toMatch(/Opens|moment|\dm/)
    expect(await email.boundingBox()).toEqual(before)
  })

  for (const [who, visitor] of [
    ['is days late', '2027-03-20T11:00:00Z'],
    ['is years early', '2036-01-01T00:00:00Z'],
  ] as const)
    test(`goes by the server’s clock where the visitor’s ${who}`, async ({ page }) => {
      const until = await setClocks(page, '2027-03-27T05:58:58Z', visitor)
      await openConnectedPage(page, site.url)
      const figures = page.getByRole('timer')
      await expect(figures).toHaveText('09d01h01m02s')
      await until('2027-03-27T05:59:00Z')
      await expect(figures).toHaveText('09d01h01m00s')
    })

  test('goes on under a translator, and all that foreign nodes leave of it', async ({ page }) => {
    for (const [who, intrude] of Object.entries(intruders))
      await test.step(who, async () => {
        const until = await setClocks(page, '2027-03-27T05:58:58.500Z')
        const release = await holdBack(page, PAGE_SCRIPT)
        await openPageWithoutScript(page, site.url)
        expect(await page.evaluate(mixedContent)).toEqual([])
        await page.evaluate(intrude)
        release()
        const figures = page.getByRole('timer')
        await expect(figures).toHaveText(/^\s*09d01h01m02s\s*$/i)
        await until('2027-03-27T05:58:59.500Z')
        await expect(figures).toHaveText(/^\s*09d01h01m01s\s*$/i)
        await page.evaluate(intrude)
        await until('2027-04-05T07:00:00.500Z')
        await expect(figures).toHaveText(/^\s*Any moment now\s*$/i)
        await page.unrouteAll()
      })
  })

  test('shows no second to who wants no motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await setClocks(page, '2027-03-27T05:58:58.500Z')
    await openConnectedPage(page, site.url)
    await expect(page.getByRole('timer')).toHaveText('09d01h01m')
  })

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false, timezoneId: 'Asia/Kolkata' })

    test('is a date, with its zone', async ({ page }) => {
      await page.goto(site.url)
      await expect(page.locator('.countdown')).toHaveText('Opens 5 Apr 2027, 09:00 CEST')
    })
  })
})
