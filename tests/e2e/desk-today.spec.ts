import type { Page } from '@playwright/test'
import { endAllSessions } from '../../src/desk/access/sessions.ts'
import { ownZone } from '../../src/shared/time-zone.ts'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import { noteBackup, tellStory } from '../fixtures/desk-stories.ts'
import { receipt } from '../fixtures/receipt.ts'
import type { RunningSite } from '../fixtures/running-site.ts'
import { withStore } from '../fixtures/with-store.ts'
import { axeFindings } from './accessibility.ts'
import { test as base, expect, SERVER } from './fixtures.ts'
import { longOf } from './long.ts'

const STORY = { people: 300, days: 25 }
const HOUR_MS = 3_600_000
/** What a browser says of a stream that ended, or a logo that nobody serves any more. */
const LOST = /Failed to load resource|net::ERR/

/** `grown` is a site whose list has grown, for tests that only look. */
const test = base.extend<{ grown: RunningSite }>({
  grown: async ({ shared }, use) => use(await shared('grown', grow)),
})
const long = longOf(test)

const desk = (site: RunningSite, query = '') => `${site.url}/desk${query}`

async function enter(page: Page, site: RunningSite) {
  await page.context().addCookies([await deskCookie(site)])
}

/** A list with people of every standing, so that the page is as wide as it gets. */
async function grow(site: RunningSite) {
  await tellStory(site.dataDir, STORY)
  const [email, subscribedAt] = ['confirmed@example.com', new Date(Date.now() - HOUR_MS)]
  const consent = receipt(subscribedAt)
  await withStore(site, ({ list }) => list.importAll([{ email, subscribedAt, extra: { consent } }]))
}

const isLive = (page: Page) => expect(page.locator('.live')).toHaveAttribute('data-status', 'live')

/** Comes in with a session, and waits until the page hears of what happens. */
async function openLive(page: Page, site: RunningSite, query = '') {
  await enter(page, site)
  await page.goto(desk(site, query))
  await isLive(page)
}

/** As wide as the window and no wider. */
async function fits(page: Page) {
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
}

/** Turns each number into one of six digits. */
function growNumbers(figure: Element) {
  const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    text.nodeValue = text.nodeValue?.replace(/\d[\d,]*/, '888,888') ?? ''
  }
}

/** On a desktop and a phone, and on a phone's page at twice its size. */
async function judge(page: Page) {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await axeFindings(page)).toEqual([])
    await fits(page)
  }
  await page.setViewportSize({ width: 320, height: 400 })
  await fits(page)
}

test.describe('the first page of the desk', SERVER, () => {
  // Before its server ends, which would break off what it hears.
  test.afterEach(({ page }) => page.goto('about:blank').then(() => {}))

  test('has nothing for axe to find, and fits, on a list that has grown', async ({
    grown: site,
    page,
  }) => {
    await openLive(page, site)
    await expect(page.getByRole('heading', { name: /Sign-ups a/ })).toBeVisible()
    await expect(page.getByText('1 ever confirmed')).toBeVisible()
    await page.getByText('As a table').click()
    await page.locator('.figure').first().evaluate(growNumbers)
    await judge(page)
  })

  long(
    'has nothing for axe to find, and fits, when the store is away',
    async ({ freshServer: site, page }) => {
      await tellStory(site.dataDir, STORY)
      noteBackup(site.databaseFile, new Date(Date.now() - 120 * HOUR_MS))
      await openLive(page, site)
      await expect(page.getByText('Last back-up')).toHaveCount(2)
      await site.removeData()
      await expect(page.getByText('The database cannot be reached')).toBeVisible()
      await judge(page)
      await site.returnData()
      await expect(page.getByText('The database cannot be reached')).toHaveCount(0)
    },
  )

  test('shows a sign-up while it is open, goes on after the server was away, and says that its session ended', async ({
    ownServer: site,
    page,
    browserConsole,
  }) => {
    browserConsole.expect(LOST)
    await openLive(page, site)
    const count = page.locator('.figure-value').first()
    await expect(count).toHaveText('0')
    await expect(page.getByRole('heading', { name: 'Before the first visitor' })).toBeVisible()
    await judge(page)
    await withStore(site, (store) => store.list.add('ada@example.com'))
    await expect(count).toHaveText('1')
    await expect(page.getByRole('link', { name: 'ada@example.com' })).toBeVisible()

    await site.kill()
    await expect(page.locator('.live')).toHaveAttribute('data-status', 'reconnecting')
    await withStore(site, (store) => store.list.add('bob@example.com'))
    await site.restart()
    await isLive(page)
    await expect(count).toHaveText('2')

    await withStore(site, ({ desk }) => endAllSessions(desk))
    await expect(page.locator('.live')).toHaveAttribute('data-status', 'ended')
    await expect(page.getByRole('banner')).toContainText('session ended')
  })

  test('is read by keyboard, as a table', async ({ grown: site, page }) => {
    await openLive(page, site, '?span=day')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'To the content' })).toBeFocused()
    await page.getByText('As a table').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('rowheader', { name: /^\w{3} \d+ \w{3}$/ }).first()).toBeVisible()
  })

  test.describe('in forced colours, elsewhere', () => {
    test.use({ forcedColors: 'active', timezoneId: 'Asia/Tokyo' })

    test('keeps its bars, its dots and the mark of where one is, in the zone of the product', async ({
      grown: site,
      page,
    }) => {
      await openLive(page, site, '?span=day')
      await expect(page.locator('.live')).toContainText(ownZone())
      const ground = await page.evaluate(() => {
        document.documentElement.style.color = 'Canvas'
        return getComputedStyle(document.documentElement).color
      })
      for (const bar of ['.chart-bar[data-now]', '.chart-bar >> nth=0']) {
        const fill = await page
          .locator(bar)
          .first()
          .evaluate((one) => getComputedStyle(one).fill)
        expect(fill, bar).not.toBe(ground)
      }
      const dot = page.locator('.mark .dot').first()
      expect(await dot.evaluate((one) => getComputedStyle(one).borderTopStyle)).toBe('solid')
      const here = page.locator('.sections [aria-current]')
      expect(await here.evaluate((one) => getComputedStyle(one).borderBottomColor)).not.toBe(ground)
    })
  })
})
