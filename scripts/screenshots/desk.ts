import type { Browser, Page } from '@playwright/test'
import { deskCookie } from '../../tests/fixtures/desk-cookie.ts'
import { type RunningSite, startSite } from '../../tests/fixtures/running-site.ts'
import { noteBackup, type Story, tellStory } from './desk-stories.ts'

const sizes = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]

const DAY_MS = 86_400_000

interface Scene {
  readonly story?: Story
  readonly env?: Readonly<Record<string, string>>
  readonly prepare?: (site: RunningSite) => void
  /** Once the page is live. */
  readonly live?: (page: Page, site: RunningSite) => Promise<void>
}

const healthy = ({ databaseFile }: RunningSite) =>
  noteBackup(databaseFile, new Date(Date.now() - DAY_MS / 3))

/** A port that nobody listens on. */
const NOBODY = 'smtp://127.0.0.1:9'

export const scenes: Readonly<Record<string, Scene>> = {
  empty: {},
  'first-day': { story: { people: 44, days: 0.25 }, prepare: healthy },
  grown: { story: { people: 101_000, days: 56 }, prepare: healthy },
  failing: {
    story: { people: 4000, days: 60 },
    env: { SMTP_URL: NOBODY },
    prepare: ({ databaseFile }) => noteBackup(databaseFile, new Date(Date.now() - 5 * DAY_MS)),
    live: async (page, site) => {
      await page.getByText('refuse').first().waitFor()
      await site.removeData()
      await page.getByText('The store cannot be reached').waitFor()
      await site.returnData()
    },
  },
}

/** Takes pictures of the desk's first page in each of its states. @param only some of them. */
export async function shootDesk(browser: Browser, folder: string, only = Object.keys(scenes)) {
  for (const name of only) {
    const { story, env = {}, prepare, live } = scenes[name] ?? {}
    const site = await startSite({ env })
    try {
      if (story) await tellStory(site.dataDir, story)
      prepare?.(site)
      for (const viewport of sizes) {
        const context = await browser.newContext({ viewport, timezoneId: 'Europe/Berlin' })
        await context.addCookies([await deskCookie(site)])
        const page = await context.newPage()
        await page.goto(`${site.url}/desk`)
        await page.locator('[data-status="live"]').waitFor()
        await live?.(page, site)
        const path = (what: string) =>
          `${folder}/${viewport.width}x${viewport.height}-desk-${name}${what}.png`
        await page.screenshot({ path: path(''), animations: 'disabled' })
        await page.screenshot({ path: path('-whole'), animations: 'disabled', fullPage: true })
        await context.close()
      }
    } finally {
      await site.stop()
    }
  }
}
