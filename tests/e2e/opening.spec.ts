import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { paths } from '../../src/shared/api.ts'
import { startSite } from '../fixtures/running-site.ts'
import { runOpen, turnPage } from '../fixtures/turn-page.ts'
import { axeFindings } from './accessibility.ts'
import { expect, SAME, SERVER, test } from './fixtures.ts'
import { INVALID, openConnectedPage, openPage, routeFromNow, signUp, THANK_YOU } from './page.ts'
import { layoutShifts } from './stillness.ts'

const APP = 'https://app.example.com/?from=launch&x=1'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const goButton = (page: Page) => page.getByRole('link', { name: `Open ${product.name}` })

/** The form of the open page, found as a visitor finds it. */
function letters(page: Page) {
  const form = page.getByRole('form', { name: 'Get news by email' })
  return {
    form,
    email: form.getByRole('textbox', { name: 'Email address' }),
    button: form.getByRole('button', { name: 'Notify Me' }),
    status: form.getByRole('status'),
  }
}

/** Has the page told that it is open, the next time it asks. */
async function tellOpen(page: Page) {
  await routeFromNow(page, `**${paths.opening}`, (route) => route.fulfill({ json: { open: APP } }))
}

/** As long as a page may take to notice. */
const NOTICED_MS = 8000

/** Opens the page with its clock at rest, so that it asks when the test lets time pass and not before. */
async function openAtRest(page: Page, url: string) {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await openConnectedPage(page, url)
}

test(
  'a page that stands open in a browser turns by itself within ten seconds',
  SERVER,
  async ({ page, freshServer }) => {
    await page.clock.install()
    await openConnectedPage(page, freshServer.url)
    await expect(heading(page)).toHaveText('Coming Soon')
    runOpen(freshServer.dataDir, APP)
    // In the page's own time: a busy machine takes a little longer.
    await page.clock.fastForward(NOTICED_MS)
    await expect(heading(page)).toHaveText('Open now')
    await expect(page).toHaveTitle(`${product.name} — Open now`)
    await expect(goButton(page)).toHaveAttribute('href', APP)
    await expect(letters(page).form).toBeVisible()
    await expect(signUp(page).form).toHaveCount(0)
  },
)

test(
  'who types when it turns is not interrupted: nothing moves, and the button stands beside',
  SAME,
  async ({ page, site }) => {
    await page.clock.install()
    await openConnectedPage(page, site.url)
    const { email, button, status } = signUp(page)
    await email.pressSequentially('ada@exam')
    await page.keyboard.press('ArrowLeft')
    const before = await email.boundingBox()
    await tellOpen(page)
    await page.clock.fastForward(NOTICED_MS)
    await expect(heading(page)).toHaveText('Open now')
    await expect(goButton(page)).toHaveAttribute('href', APP)
    expect(await email.boundingBox()).toEqual(before)
    await expect(email).toBeFocused()
    await page.keyboard.type('-')
    await expect(email).toHaveValue('ada@exa-m')
    const [link, field] = [await goButton(page).boundingBox(), await email.boundingBox()]
    expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThan(field?.y ?? 0)
    expect(await axeFindings(page)).toEqual([])

    await email.fill('typed.while.it.turned@example.com')
    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    await expect.poll(() => site.subscribers()).toContain('typed.while.it.turned@example.com')
  },
)

test('who was just thanked when it turns still reads that', SAME, async ({ page, site }) => {
  await page.clock.install()
  await openConnectedPage(page, site.url)
  const { status, submit } = signUp(page)
  await submit('thanked.before.it.turned@example.com')
  await expect(status).toHaveText(THANK_YOU)
  const before = await status.boundingBox()
  await tellOpen(page)
  await page.clock.fastForward(NOTICED_MS)
  await expect(heading(page)).toHaveText('Open now')
  await expect(status).toHaveText(THANK_YOU)
  expect(await status.boundingBox()).toEqual(before)
})

test(
  'a page asks only while it can be seen, and at once when it is again',
  SAME,
  async ({ page, site }) => {
    await openAtRest(page, site.url)
    let asked = 0
    await routeFromNow(page, `**${paths.opening}`, (route) => {
      asked += 1
      return route.fulfill({ json: {} })
    })
    await page.clock.fastForward(NOTICED_MS)
    await expect.poll(() => asked).toBe(1)
    await setHidden(page, true)
    await page.clock.runFor(60_000)
    expect(asked).toBe(1)
    await setHidden(page, false)
    await page.clock.fastForward(3000)
    await expect.poll(() => asked).toBe(2)
  },
)

test('a connection that stalls keeps no page from turning', SAME, async ({ page, site }) => {
  await openAtRest(page, site.url)
  let asked = 0
  // Neither answered nor refused, as by a network that is gone.
  await routeFromNow(page, `**${paths.opening}`, () => {
    asked += 1
  })
  await page.clock.fastForward(NOTICED_MS)
  await expect.poll(() => asked).toBe(1)
  await page.clock.resume()
  await tellOpen(page)
  // Here the time that the page gives a connection is real.
  await expect(heading(page)).toHaveText('Open now')
})

test(
  'a server in trouble is asked less often, and the page turns all the same and keeps what was typed',
  SAME,
  async ({ page, site }) => {
    await openAtRest(page, site.url)
    // Left there, without being in the field.
    const { email } = signUp(page)
    await email.fill('ada@example.com')
    await email.blur()
    let asked = 0
    await routeFromNow(page, `**${paths.opening}`, (route) => {
      asked += 1
      return route.fulfill({ status: 502, body: '<html>' })
    })
    await page.clock.fastForward(NOTICED_MS)
    await expect.poll(() => asked).toBe(1)
    await page.clock.resume()
    // Once soon, as it may have been this connection alone.
    await page.clock.fastForward(5000)
    await expect.poll(() => asked).toBe(2)
    await page.clock.runFor(10_000)
    expect(asked).toBe(2)
    await tellOpen(page)
    await page.clock.fastForward(20_000)
    await expect(heading(page)).toHaveText('Open now')
    await expect(email).toHaveValue('ada@example.com')
  },
)

test.describe('the open page', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let open: Awaited<ReturnType<typeof startSite>>
  test.beforeAll(async () => {
    open = await startSite()
    await turnPage(open, APP)
  })
  test.afterAll(() => open.stop())

  test('leads to the product, and takes an address in one quiet line', async ({ page }) => {
    await openConnectedPage(page, open.url)
    await expect(heading(page)).toHaveText('Open now')
    await expect(goButton(page)).toHaveAttribute('href', APP)
    const { email, button, status } = letters(page)
    await email.fill('ada@example')
    await button.click()
    await expect(status).toHaveText(INVALID)
    await expect(email).toBeFocused()
    await email.fill('late@example.com')
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(THANK_YOU)
    expect(open.subscribers()).toContain('late@example.com')
    expect(await layoutShifts(page)).toEqual([])
  })

  test('shows the splash once to who is new, and never to who was there before', async ({
    page,
  }) => {
    await openConnectedPage(page, open.url)
    const takenOver = page.waitForRequest(`**${paths.config}`)
    await page.goto(open.url)
    // At once: one that was shown would be gone in the end.
    expect(await page.locator('#splash').count()).toBe(0)
    await expect(goButton(page)).toBeVisible()
    await takenOver
    await expect(letters(page).email).toBeEnabled()
  })

  test('keeps nothing in the browser but that, and shows the splash where nothing may be kept', async ({
    page,
  }) => {
    await openConnectedPage(page, open.url)
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ splash: 'seen' })
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('It is forbidden.', 'SecurityError')
        },
      })
    })
    await openPage(page, open.url)
    await expect(goButton(page)).toBeVisible()
  })

  test('has no barrier that axe finds, in any state, and is used with the keyboard', async ({
    page,
  }) => {
    await openConnectedPage(page, open.url)
    expect(await axeFindings(page, { contrast: 'AAA' })).toEqual([])
    const { email, button, status } = letters(page)
    for (const control of [goButton(page), email, button]) {
      await page.keyboard.press('Tab')
      await expect(control).toBeFocused()
    }
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('nobody')
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(INVALID)
    expect(await axeFindings(page)).toEqual([])
  })

  test('fits every window, and leaves what is pressed its size', async ({ page }) => {
    await openConnectedPage(page, open.url)
    for (const width of [320, 360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      for (const control of [goButton(page), letters(page).email, letters(page).button]) {
        const box = await control.boundingBox()
        expect(box?.height).toBeGreaterThanOrEqual(44)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      }
    }
  })

  test.describe('in forced colours', () => {
    test.use({ forcedColors: 'active' })
    test('gives what is pressed an edge, and shows the focus', async ({ page }) => {
      await openConnectedPage(page, open.url)
      for (const control of [goButton(page), letters(page).button])
        await expect(control).toHaveCSS('border-top-style', 'solid')
      for (const control of [goButton(page), letters(page).email]) {
        await page.keyboard.press('Tab')
        await expect(control).toHaveCSS('outline-style', 'solid')
        const [outline, ground] = await control.evaluate((element) => {
          const { outlineColor } = getComputedStyle(element)
          return [outlineColor, getComputedStyle(document.documentElement).backgroundColor]
        })
        expect(outline).not.toBe(ground)
      }
    })
  })
})

async function setHidden(page: Page, isHidden: boolean) {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}
