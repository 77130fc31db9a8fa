import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { deskPaths } from '../../src/desk/contract/pages.ts'
import { places } from '../../src/desk/contract/places.ts'
import { deskCookie } from '../../tests/fixtures/desk-cookie.ts'
import { noteBackup, type Story, tellStory } from '../../tests/fixtures/desk-stories.ts'
import { startSite } from '../../tests/fixtures/running-site.ts'

type Size = Readonly<Record<'width' | 'height', number>>

const lists: Readonly<Record<string, Story | undefined>> = {
  empty: undefined,
  'first-day': { people: 44, days: 0.25 },
  grown: { people: 4000, days: 56 },
}

const letter =
  '---\nsubject: We are live\nfrom: team@example.org\n---\n# Come in\n\nThe doors are open.\n'

/** What is shown only once something was done on a page. */
const reached: Readonly<Record<string, [path: string, reach: (page: Page) => Promise<unknown>]>> = {
  search: [
    deskPaths.people,
    async (page) => {
      await page.getByRole('searchbox').fill('ada')
      await page.getByText('ada.').first().waitFor()
    },
  ],
  person: [deskPaths.people, (page) => page.getByRole('table').getByRole('link').first().click()],
  letter: [`${deskPaths.letters}/launch`, async () => {}],
  'opening-sure': [
    deskPaths.opening,
    async (page) => {
      await page.getByLabel('Where the button leads').fill('https://app.example.com')
      await page.getByLabel('Now').check()
      await page.getByRole('button', { name: 'Look at what happens' }).click()
    },
  ],
}

/** Takes pictures of each page of the desk, on lists of several sizes. */
export async function shootDesk(browser: Browser, folder: string, sizes: readonly Size[]) {
  for (const [list, story] of Object.entries(lists)) {
    const site = await startSite({})
    const { dataDir, databaseFile } = site
    if (story) await tellStory(dataDir, story)
    noteBackup(databaseFile, new Date(Date.now() - 8 * 3_600_000))
    mkdirSync(join(dataDir, 'letters'), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, 'letters/launch.md'), letter, { mode: 0o600 })
    const cookie = await deskCookie(site)
    for (const viewport of sizes) {
      const context = await browser.newContext({ viewport, timezoneId: 'Europe/Berlin' })
      await context.addCookies([cookie])
      const page = await context.newPage()
      const shoot = async (
        name: string,
        path: string,
        reach?: (page: Page) => Promise<unknown>,
      ) => {
        await page.goto(site.url + path)
        await reach?.(page)
        await page.waitForLoadState()
        await page.screenshot({
          path: `${folder}/${viewport.width}x${viewport.height}-desk-${list}-${name}.png`,
          animations: 'disabled',
          fullPage: true,
        })
      }
      for (const [name, { path }] of Object.entries(places)) await shoot(name, path)
      if (list === 'grown')
        for (const [name, [path, reach]] of Object.entries(reached)) await shoot(name, path, reach)
      await context.close()
    }
    await site.stop()
  }
}
