/**
 * `npm run screenshots`: the splash at its moments and the page in every state, in every size of
 * interest, into `screenshots/`; the desk in each of its states; the letter that asks for confirmation
 * and the pages behind it; the page as it opens; and the README's pictures, one of which moves.
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { paths } from '../src/shared/api.ts'
import { en } from '../src/words/en.ts'
import { CHROMIUM_ARGS } from './chromium/find-chromium.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'
import { animatedWebp } from './screenshots/animated-webp.ts'
import { shootConfirmation } from './screenshots/confirmation.ts'
import { shootDesk } from './screenshots/desk.ts'
import { shootDeskLetters } from './screenshots/desk-letters.ts'
import { shootDeskOpening } from './screenshots/desk-opening.ts'
import { shootDeskPeople } from './screenshots/desk-people.ts'
import { filmSplash } from './screenshots/film-splash.ts'
import { shootOpening } from './screenshots/opening.ts'
import { serve } from './serve.ts'

const sizes = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]
const splashMoments = [500, 1500, 2500, 3500, 4500, 4600, 4700, 4800, 4900, 5000]
const folder = 'screenshots'

const dataDir = await mkdtemp(join(tmpdir(), 'opening-bell-screenshots-'))
const server = await serve({ DATA_DIR: dataDir, RATE_LIMIT: '0' })
const found = await obtainChromium()
if ('error' in found) throw new Error(found.error)
const browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })

/** Each brings a page that shows the idle form into a state. */
const states: Record<string, (page: Page) => Promise<void>> = {
  idle: async () => {},
  focus: (page) => page.getByRole('textbox').focus(),
  suggestion: async (page) => {
    await page.getByRole('textbox').fill('ada@gmial.com')
    await page.getByRole('button', { name: /^Did you mean/ }).waitFor()
  },
  loading: async (page) => {
    await page.route(`**${paths.subscribers}`, () => {})
    await submit(page)
    await page.getByRole('button', { name: en.submitting }).waitFor()
  },
  success: async (page) => {
    await submit(page)
    await page.getByText(en.subscribed).waitFor()
  },
  'error-invalid': async (page) => {
    await submit(page, 'ada@example')
    await page.getByText(en.invalidEmail).waitFor()
  },
  'error-database': (page) => failWith(page, 503, en.databaseUnavailable),
  'error-failed': (page) => failWith(page, 429, en.failed),
}

async function submit(page: Page, email = 'ada@example.com') {
  await page.getByRole('textbox').fill(email)
  await page.getByRole('button').click()
}

async function failWith(page: Page, status: number, message: string) {
  await page.route(`**${paths.subscribers}`, (route) => route.fulfill({ status, json: {} }))
  await submit(page)
  await page.getByText(message).waitFor()
}

for (const viewport of sizes) {
  const name = (what: string) => `${folder}/${viewport.width}x${viewport.height}-${what}.png`

  for (const [state, reach] of Object.entries(states)) {
    const page = await browser.newPage({ viewport })
    const takenOver = page.waitForRequest(`**${paths.config}`)
    await page.goto(server.url)
    if (state === 'idle') await shootSplash(page, name)
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await page.locator('#splash').waitFor({ state: 'detached' })
    await takenOver
    await reach(page)
    await page.screenshot({ path: name(state), animations: 'disabled' })
    await page.close()
  }
}

async function shootSplash(page: Page, name: (what: string) => string) {
  for (const moment of splashMoments) {
    await page.evaluate((time) => {
      for (const animation of document.getAnimations()) {
        animation.pause()
        animation.currentTime = time
      }
    }, moment)
    await page.screenshot({ path: name(`splash-${moment}`) })
  }
}

const [stage, workshop] = [
  await browser.newPage({ viewport: { width: 1280, height: 800 } }),
  await browser.newPage(),
]
await writeFile(
  'docs/splash.webp',
  await animatedWebp(workshop, await filmSplash(stage, server.url)),
)
await copyFile(`${folder}/1440x900-idle.png`, 'docs/page.png')
await server.stop()
await shootDeskLetters(browser, folder)
await shootDesk(browser, folder)
await shootDeskOpening(browser, folder)
await shootConfirmation(browser, folder)
await shootDeskPeople(browser, folder)
await shootOpening(browser, folder)
await browser.close()
await rm(dataDir, { recursive: true })
