import product from '../../product.config.ts'
import { missingLetters, openTypeface } from '../../scripts/build/typeface.ts'
import { en } from '../../src/words/en.ts'
import { isLong } from '../torture/form.ts'
import { expect, long, SAME, test } from './fixtures.ts'
import { playGoogle } from './google.ts'
import { onlyFont } from './only-font.ts'
import { openSplashAt, signUp } from './page.ts'
import { everyState, REFUSED } from './states.ts'
import { expectNothingMoves } from './stillness.ts'
import { ALL_TEXT, fontsOf } from './typefaces.ts'

/** In one file of the typeface or several. */
const OURS = /^(Geist[^,]* \(ours\),?)+$/

const typeface = await openTypeface()

/** All but texts with a letter that the typeface lacks: those are the visitor's own font's. */
function expectOurs(fonts: Readonly<Record<string, string>>) {
  for (const [text, font] of Object.entries(fonts))
    if (missingLetters(typeface, text).length === 0) expect(font, text).toMatch(OURS)
}

for (const file of ['DejaVuSans.ttf', 'DejaVuSansMono.ttf']) {
  const one = file === 'DejaVuSans.ttf' ? test : long
  one(
    `nothing moves where ${file} is the only font`,
    SAME,
    async ({ playwright, launchOptions, site, firebase }, testInfo) => {
      test.slow()
      const folder = testInfo.outputPath()
      const only = onlyFont(file, folder)
      if ('missing' in only) return test.skip(true, only.missing)
      const env = { ...process.env, ...only.env } as Record<string, string>
      const browser = await playwright.chromium.launch({ ...launchOptions, env })
      for (const width of isLong ? [320, 360, 1440] : [320]) {
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
    },
  )
}

test.describe('what the page says is in its own typeface, without asking for it', SAME, () => {
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
    expect(Object.keys(fonts)).toEqual([product.name])
    expectOurs(fonts)
  })

  test('in every state', async ({ page, site, browserConsole }) => {
    browserConsole.expect(REFUSED)
    // A message has an element for each of its sentences, and spaces between them.
    const letters = (text: string) => text.replaceAll(/\s/g, '')
    let read = ''
    for await (const _ of everyState(page, site.url)) {
      const fonts = await fontsOf(page, ALL_TEXT)
      expectOurs(fonts)
      read += Object.keys(fonts).join('')
    }
    const { heading, offer, submit, submitting, subscribed, ...more } = en
    const messages = [subscribed, more.invalidEmail, more.databaseUnavailable, more.failed]
    for (const text of [product.pitch, heading, offer, submit, submitting, ...messages])
      expect(letters(read)).toContain(letters(text))
    // A page with more letters than there is room for has the field in the next of kin.
    const family = await signUp(page).email.evaluate((field) => getComputedStyle(field).fontFamily)
    expect(family).toMatch(/^(Geist, (Second, )?)?Fallback, /)
  })
})
