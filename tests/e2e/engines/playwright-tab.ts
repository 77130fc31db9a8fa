import type { BrowserType, Page } from '@playwright/test'
import { asText, type Tab, type TabSettings } from './tab.ts'

/** A window of a browser of Playwright's own. */
export async function playwrightTab(
  type: BrowserType,
  { script, motion }: TabSettings,
): Promise<Tab> {
  const browser = await type.launch()
  let page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    javaScriptEnabled: script,
    reducedMotion: motion ? 'no-preference' : 'reduce',
  })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))

  return {
    open: (url) => tabOf(page).open(url),
    evaluate: (look, ...args) => tabOf(page).evaluate(look, ...args),
    async follow() {
      page = page.context().pages().at(-1) ?? page
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    screenshot: () => page.screenshot(),
    complaints: () => complaints,
    close: () => browser.close(),
  }
}

/** What the promises of the splash need, for a page of Playwright's. */
export function tabOf(page: Page): Pick<Tab, 'open' | 'evaluate'> {
  return {
    async open(url) {
      await page.goto(url, { waitUntil: 'commit' })
    },
    async evaluate(look, ...args) {
      return JSON.parse(await page.evaluate(asText(look, args)))
    },
  }
}
