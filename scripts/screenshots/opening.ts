import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import ours from '../../src/product/product.ts'
import { paths } from '../../src/shared/api.ts'
import { en } from '../../src/words/en.ts'
import { copyProduct } from '../../tests/fixtures/products.ts'
import { buildProject, copyProject } from '../../tests/fixtures/project-copy.ts'
import { startSite } from '../../tests/fixtures/running-site.ts'

const URL = 'https://app.example.com/'
const opensAt = { at: '2027-01-12T09:00', zone: 'Europe/Berlin' }
const sizes = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]

/** Takes pictures of the page with a countdown, as it turns while somebody types, and open. */
export async function shootOpening(browser: Browser, folder: string): Promise<void> {
  for (const name of ['ours', 'kestrel', 'northern-lights'] as const) {
    const root = await mkdtemp(join(tmpdir(), 'opening-bell-opening-'))
    if (name === 'ours') copyProject(root, { ...ours, opensAt })
    else copyProduct(root, name, { opensAt })
    const { status, stderr } = buildProject(root)
    if (status !== 0) throw new Error(stderr)
    const site = await startSite({ root })
    const shoot = (state: string, reach: (page: Page) => Promise<void>) =>
      shootIn(browser, site.url, `${folder}/%-${state}-${name}.png`, reach)

    await shoot('countdown', async (page) => {
      await page.locator('[role=timer] small').first().waitFor()
    })
    await shoot('turned-while-typing', async (page) => {
      await page.route(`**${paths.opening}`, (route) => route.fulfill({ json: { open: URL } }))
      await page.getByRole('textbox').fill('ada@exam')
      await page.clock.fastForward(9000)
      await page.getByText(en.openHeading, { exact: true }).waitFor()
    })
    execFileSync(process.execPath, [join(root, 'src/cli/main.ts'), 'open', URL], {
      env: { ...process.env, DATA_DIR: site.dataDir },
      stdio: 'ignore',
    })
    await untilOpen(site.url)
    await shoot('open', async () => {})
    if (name === 'ours') {
      const submit = async (page: Page, email: string) => {
        await page.getByRole('textbox').fill(email)
        await page.getByRole('button').click()
      }
      await shoot('open-success', async (page) => {
        await submit(page, 'ada@example.com')
        await page.getByText(en.subscribed).waitFor()
      })
      await shoot('open-error', async (page) => {
        await submit(page, 'ada@example')
        await page.getByText(en.invalidEmail).waitFor()
      })
    }
    await site.stop()
    await rm(root, { recursive: true })
  }
}

async function shootIn(
  browser: Browser,
  url: string,
  file: string,
  reach: (page: Page) => Promise<void>,
) {
  for (const viewport of sizes) {
    const page = await browser.newPage({ viewport, timezoneId: 'America/New_York' })
    await page.clock.install({ time: '2026-11-22T09:41:00Z' })
    const takenOver = page.waitForRequest(`**${paths.config}`)
    await page.goto(url)
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await takenOver
    await reach(page)
    const path = file.replace('%', `${viewport.width}x${viewport.height}`)
    await page.screenshot({ path, animations: 'disabled' })
    await page.close()
  }
}

async function untilOpen(url: string) {
  while ((await (await fetch(url + paths.opening)).json()).open === undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
}
