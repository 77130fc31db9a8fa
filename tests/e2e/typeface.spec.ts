import { paths } from '../../src/shared/api.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { playGoogle } from './google.ts'
import { onlyFont } from './only-font.ts'
import { openSplashAt, signUp } from './page.ts'
import { everyState, REFUSED } from './states.ts'
import { expectNothingMoves } from './stillness.ts'
import { ALL_TEXT, fontsOf } from './typefaces.ts'

const OURS = /^Geist[^,]* \(ours\)$/

for (const file of ['DejaVuSans.ttf', 'DejaVuSansMono.ttf'])
  test(`nothing moves where ${file} is the only font`, async ({
    playwright,
    launchOptions,
    site,
    firebase,
  }, testInfo) => {
    test.slow()
    const folder = testInfo.outputPath()
    const only = onlyFont(file, folder)
    if ('missing' in only) return test.skip(true, only.missing)
    const env = { ...process.env, ...only.env } as Record<string, string>
    const browser = await playwright.chromium.launch({ ...launchOptions, env })
    for (const width of [320, 360, 1440]) {
      const context = await browser.newContext({ viewport: { width, height: 800 } })
      if (firebase) await playGoogle(context, firebase.emulators)
      const page = await context.newPage()
      await expectNothingMoves(page, site.url)
      if (width === 320) {
        await page.setContent('<p style="font-family: Arial">any</p>')
        const name = file === 'DejaVuSans.ttf' ? 'DejaVu Sans' : 'DejaVu Sans Mono'
        expect(await fontsOf(page, 'p')).toEqual({ any: name })
      }
      await context.close()
    }
    await browser.close()
  })

test.describe('what the page says is in its own typeface, without asking for it', () => {
  let requests: string[]
  test.beforeEach(({ page }) => {
    requests = []
    page.on('request', (request) => {
      if (request.resourceType() === 'font') requests.push(request.url().slice(0, 30))
    })
  })
  test.afterEach(() => expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([]))

  test('on the splash', async ({ page, site }) => {
    await openSplashAt(page, site.url, 4000)
    const fonts = await fontsOf(page, '#splash *')
    expect(Object.keys(fonts)).toHaveLength(1)
    for (const [text, font] of Object.entries(fonts)) expect(font, text).toMatch(OURS)
  })

  test('in every state, but not what the visitor types', async ({ page, site, browserConsole }) => {
    browserConsole.expect(REFUSED)
    const read = new Set<string>()
    for await (const state of everyState(page, site.url))
      for (const [text, font] of Object.entries(await fontsOf(page, ALL_TEXT))) {
        expect(font, `${state}: ${text}`).toMatch(OURS)
        read.add(text)
      }
    // The name, the heading, the pitch, the invitation, two of the button, four messages.
    expect(read.size).toBe(10)
    const family = await signUp(page).email.evaluate((field) => getComputedStyle(field).fontFamily)
    expect(family).not.toContain('Geist')
  })

  test('on the pages beside it', SERVER, async ({ page, site }) => {
    for (const path of [paths.subscribed, `${paths.unsubscribe}/token`]) {
      await page.goto(site.url + path)
      const fonts = Object.entries(await fontsOf(page, ALL_TEXT))
      expect(fonts.length, path).toBeGreaterThan(2)
      for (const [text, font] of fonts) expect(font, `${path}: ${text}`).toMatch(OURS)
    }
  })
})
