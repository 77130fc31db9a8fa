import type { Browser, Page } from '@playwright/test'
import { deskCookie } from '../../tests/fixtures/desk-cookie.ts'
import { startSite } from '../../tests/fixtures/running-site.ts'
import { tellStory } from './desk-stories.ts'

const sizes = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]
const URL = 'https://app.example.com'

/** Takes pictures of the opening at the desk, in each of its states. */
export async function shootDeskOpening(browser: Browser, folder: string): Promise<void> {
  const site = await startSite()
  const cookie = await deskCookie(site)
  const open = async (options: Parameters<Browser['newContext']>[0] = {}) => {
    const context = await browser.newContext({ timezoneId: 'America/New_York', ...options })
    await context.addCookies([cookie])
    return context
  }

  /** @param reach brings a page there; what only asks changes nothing. */
  async function shoot(what: string, path: string, reach = async (_page: Page) => {}) {
    const phone = sizes[0] as (typeof sizes)[number]
    const ways = [
      ...sizes.map((viewport) => ({ viewport, more: '' })),
      { viewport: phone, more: '-no-script', javaScriptEnabled: false },
      { viewport: phone, more: '-forced-colours', forcedColors: 'active' as const },
    ]
    for (const { more, ...options } of ways) {
      const context = await open(options)
      const page = await context.newPage()
      await page.goto(site.url + path)
      await reach(page)
      const { width, height } = options.viewport
      await page.screenshot({
        path: `${folder}/${width}x${height}-desk-${what}${more}.png`,
        animations: 'disabled',
        fullPage: true,
      })
      await context.close()
    }
  }

  const fill = async (page: Page, at?: string, url = URL) => {
    await page.getByLabel('Where the button leads').fill(url)
    if (at === undefined) {
      if ((await page.getByLabel('Now').count()) > 0) await page.getByLabel('Now').check()
    } else {
      await page.getByLabel('At a time').check()
      await page.getByLabel('Time', { exact: true }).fill(at)
      await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    }
    await page.getByRole('button', { name: 'Look at what happens' }).click()
  }
  const act = async (button: string) => {
    const context = await open()
    const page = await context.newPage()
    return { page, press: () => page.getByRole('button', { name: button }).click(), context }
  }

  try {
    await tellStory(site.dataDir, { people: 4000, days: 30 })
    const place = '/desk/opening'
    await shoot('opening-none', place)
    await shoot('opening-mistake', place, (page) =>
      fill(page, '2028-10-29T02:30', 'app.example.com').then(() => fill(page, '2028-10-29T02:30')),
    )
    await shoot('opening-sure-at', place, (page) => fill(page, '2027-01-12T09:00'))
    await shoot('opening-sure-now', place, (page) => fill(page))

    for (const [state, at, button] of [
      ['set', '2027-01-12T09:00', 'Set this opening'],
      ['open', undefined, 'Open the page now'],
    ] as const) {
      const { page, press, context } = await act(button)
      await page.goto(site.url + place)
      await fill(page, at)
      await page.getByLabel('Type').fill('app.example.com')
      await press()
      await page.getByText('What is set').waitFor()
      await context.close()
      await shoot(`opening-${state}`, place)
      await shoot(`opening-${state}-today`, '/desk')
      await shoot(`opening-${state}-undo`, `${place}/undo`)
    }
  } finally {
    await site.stop()
  }
}
