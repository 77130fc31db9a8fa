import type { Page } from '@playwright/test'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import type { RunningSite } from '../fixtures/running-site.ts'
import { withStore } from '../fixtures/with-store.ts'
import { axeFindings } from './accessibility.ts'
import { test as base, expect, SERVER } from './fixtures.ts'
import { routeFromNow } from './page.ts'

const field = (page: Page) => page.getByRole('searchbox', { name: 'Find an address' })
const rows = (page: Page) => page.getByRole('rowheader')
const person = (page: Page, email: string) => page.getByRole('link', { name: email, exact: true })

const hostile = [
  `"<script>alert(1)</script>"@example.com`,
  `"</script><b>"@example.com`,
  `"&lt;&quot;'\`\${x}"@example.com`,
  `${'w'.repeat(200)}@example.com`,
  'שלום.עולם@example.com',
  `z${'\u0335'.repeat(20)}${'\u0322\u0321'.repeat(20)}algo@example.com`,
  '=1+1@example.com',
]

/** Those who were always there; a test adds only who it takes away again. */
const everybody = [
  ...['ada', 'bob', 'grace', 'adam'].map((name) => `${name}@example.com`),
  ...hostile,
]

/** `desk` has them and a session of this browser's. */
const test = base.extend<{ desk: RunningSite }>({
  desk: async ({ shared, context }, use) => {
    const site = await shared('people', (site) => signUp(site, everybody))
    await context.addCookies([await deskCookie(site)])
    await use(site)
  },
})

test.describe('the people on the desk', SERVER, () => {
  test('are found as somebody types, with few requests, and the address keeps the path clean', async ({
    page,
    desk,
  }) => {
    await page.clock.install()
    await page.goto(`${desk.url}/desk/people`)
    await expect(rows(page)).toHaveCount(everybody.length)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
    await page.clock.pauseAt(Date.now() + 60_000)
    await field(page).pressSequentially('ada@exam')
    expect(asked).toEqual([])
    await page.clock.runFor(200)
    await expect(rows(page)).toHaveCount(1)
    await expect(person(page, 'ada@example.com')).toBeVisible()
    await expect(page.getByRole('status')).toHaveText('1 person')
    await expect(page.locator('mark')).toHaveText('ada@exam')
    const searches = asked.filter((line) => line.includes('/search'))
    expect(searches).toHaveLength(1)
    expect(asked.join()).not.toContain('ada')
    expect(page.url()).toBe(`${desk.url}/desk/people`)
  })

  test('are still found when one goes back to the search', async ({ page, desk }) => {
    await page.goto(`${desk.url}/desk/people`)
    await field(page).fill('grace')
    await expect(rows(page)).toHaveCount(1)
    await person(page, 'grace@example.com').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('grace@example.com')
    await page.goBack()
    await expect(field(page)).toHaveValue('grace')
    await expect(rows(page)).toHaveCount(1)
  })

  test('stay shown when the store cannot be reached, and it is said', async ({
    page,
    desk,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource/)
    await page.goto(`${desk.url}/desk/people`)
    await routeFromNow(page, '**/search', (route) => route.fulfill({ status: 503, body: '' }))
    await field(page).fill('ada')
    await expect(page.getByText('The database cannot be reached.')).toBeVisible()
    await expect(rows(page)).toHaveCount(everybody.length)
    await page.unroute('**/search')
    await field(page).fill('adam')
    await expect(rows(page)).toHaveCount(1)
    await expect(page.getByText('The database cannot be reached.')).toBeHidden()
  })

  test('are unsubscribed, and forgotten after a second question, by keyboard alone', async ({
    page,
    desk,
  }) => {
    await signUp(desk, ['leaver@example.com'])
    await page.goto(`${desk.url}/desk/people`)
    await person(page, 'leaver@example.com').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'What happened' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Unsubscribe' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').getByText('Unsubscribed', { exact: true })).toBeVisible()
    await page.getByText('Forget …').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Erased are the address')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Forget for good' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('They are forgotten')
    expect(await page.content()).not.toContain('leaver@example.com')
    expect(desk.subscribers()).not.toContain('leaver@example.com')
  })

  test('as a list are clean for axe, found or not, and move nothing sideways on a phone', async ({
    page,
    desk,
  }) => {
    await page.goto(`${desk.url}/desk/people`)
    expect(await axeFindings(page)).toEqual([])
    const wide = page.viewportSize()
    await page.setViewportSize({ width: 360, height: 800 })
    await expect(rows(page)).toHaveCount(everybody.length)
    await expectNothingSideways(page)
    // On a phone its filter is folded.
    if (wide) await page.setViewportSize(wide)
    await page.getByText('Export what is found').click()
    await field(page).fill('nobody is so called')
    await expect(page.getByText('Nobody was found')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await field(page).fill('')
    await page.getByLabel('Source').fill('direct')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByText('A source is a name in a link')).toBeVisible()
    await expect(page.getByText('Nobody was found')).toBeVisible()
  })
})

test.describe('the people on the desk, in forced colours', SERVER, () => {
  test.use({ forcedColors: 'active' })

  test('keep their edges and their words', async ({ page, desk }) => {
    await page.goto(`${desk.url}/desk/people`)
    for (const control of [field(page), page.getByRole('button', { name: 'Search' })])
      await expect(control).toHaveCSS('border-style', 'solid')
    const ground = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'Canvas'
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    })
    for (const text of await page.locator('th, td, p, label, summary').all())
      await expect(text).not.toHaveCSS('color', ground)
    await expect(person(page, 'ada@example.com')).toBeVisible()
  })
})

/** By the store itself, as another process beside the server. */
const signUp = (site: RunningSite, emails: readonly string[], suspicion?: string) =>
  withStore(site, async ({ list }) => {
    for (const email of emails) await list.add(email, { suspicion })
  })

async function expectNothingSideways(page: Page) {
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(widths[0]).toBeLessThanOrEqual(widths[1] as number)
}
