import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import ours from '../../src/product/product.ts'
import type { Product } from '../../src/shared/product.ts'
import { confirmationLetter } from '../../src/sign-up/confirmation-letter.ts'
import { confirmPageSteps, site } from '../../src/site/site.ts'

const ORIGIN = 'https://example.com'

/** As different from ours as a letter can be. */
const another: Product = {
  ...ours,
  name: "Northern Lights & Sons' Portfolio Terminal",
  accent: '#ff7a1a',
  postalAddress: 'Northern Lights Markets GmbH, Falkenstraße 7, 20095 Hamburg, Germany',
}

/** Takes pictures of the letter that asks for confirmation, and of the pages behind its link. */
export async function shootConfirmation(browser: Browser, folder: string): Promise<void> {
  await shootLetters(browser, folder)
  build({ CONFIRM: 'on' })
  await shootPages(browser, folder)
  build({ CONFIRM: 'off' })
}

async function shootLetters(browser: Browser, folder: string) {
  for (const [whose, product] of Object.entries({ ours, another })) {
    const make = confirmationLetter({
      product,
      from: `"${product.name}" <hello@example.com>`,
      confirmUrl: `${ORIGIN}/confirm`,
      linkKey: Buffer.alloc(32, 1),
    })
    const { subject, html, text } = make('ada', {
      email: 'ada@example.com',
      askedAt: new Date('2026-11-22T09:41:00Z'),
      letters: 0,
      shown: { words: '', page: '', language: 'en' },
    })
    await writeFile(`${folder}/letter-${whose}.txt`, `${subject}\n\n${text}\n`)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 800]) {
        const page = await browser.newPage({ viewport: { width, height: 640 }, colorScheme })
        await page.setContent(html)
        const path = `${folder}/letter-${whose}-${width}-${colorScheme}.png`
        await page.screenshot({ path, fullPage: true })
        await page.close()
      }
  }
}

async function shootPages(browser: Browser, folder: string) {
  const pages: Record<string, string> = { 'confirm-thank-you': site.outcomePage('subscribed') }
  for (const step of confirmPageSteps) pages[`confirm-${step}`] = site.confirmPage(step)
  for (const [name, file] of Object.entries(pages))
    for (const width of [360, 1440])
      for (const forcedColors of ['none', 'active'] as const) {
        const viewport = { width, height: width === 360 ? 800 : 900 }
        const context = await browser.newContext({
          viewport,
          forcedColors,
          javaScriptEnabled: false,
          baseURL: ORIGIN,
        })
        const page = await context.newPage()
        await page.route('**', (route) => {
          const { pathname } = new URL(route.request().url())
          return route.fulfill({
            path: pathname === '/' ? file : join(site.public, pathname),
          })
        })
        await page.goto('/')
        const colours = forcedColors === 'active' ? '-forced-colours' : ''
        await page.screenshot({
          path: `${folder}/${viewport.width}x${viewport.height}-${name}${colours}.png`,
          animations: 'disabled',
        })
        await context.close()
      }
}

/** Builds the page once more, with other settings. */
function build(settings: Record<string, string>) {
  const env = { ...process.env, ...settings }
  execFileSync(process.execPath, ['scripts/build.ts'], { env, stdio: 'inherit' })
}
