import product from '../../product.config.ts'
import { paths } from '../../src/shared/api.ts'
import { expect, SAME, SERVER, test } from './fixtures.ts'
import {
  INVALID,
  metaOf,
  openPage,
  openPageWithoutScript,
  signUp,
  sizeOf,
  THANK_YOU,
} from './page.ts'

/** The specification's, written out once more. */
const TITLE = `${product.name} — Coming Soon`

test.describe('the document', () => {
  test('says what it is, to people, search engines and previews', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    await expect(page).toHaveTitle(TITLE)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    expect(await metaOf(page)).toMatchObject({
      description: product.description,
      'theme-color': '#000000',
      'og:type': 'website',
      'og:title': TITLE,
      'og:description': product.description,
    })
  })

  test('gives no address of its own when it does not know one', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    await expect(page.locator('link[rel=canonical]')).toHaveCount(0)
    expect(Object.keys(await metaOf(page)).join()).not.toMatch(/og:url|og:image|twitter/)
  })

  test('asks search engines to leave the answers to a form out', SERVER, async ({ page, site }) => {
    await openPage(page, site.url)
    await expect(page.locator('meta[name=robots]')).toHaveCount(0)
    await openPage(page, site.url)
    await page.goto(site.url + paths.subscribed)
    expect(await metaOf(page)).toMatchObject({ robots: 'noindex' })
  })

  // Where Playwright plays a part of the network, it lets no page have its favicon.ico.
  test(
    'has its icons, its picture for previews and a robots.txt',
    SERVER,
    async ({ page, site }) => {
      await openPage(page, site.url)
      const sizes: Record<string, unknown> = {}
      for (const link of await page.locator('link[rel*=icon]').all()) {
        const href = String(await link.getAttribute('href'))
        sizes[href] = await sizeOf(page, href)
      }
      expect(sizes).toEqual({
        '/favicon.ico': [32, 32],
        [`/${product.logo}`]: [expect.any(Number), expect.any(Number)],
        '/apple-touch-icon.png': [180, 180],
      })
      const robots = await page.request.get(`${site.url}/robots.txt`)
      expect(robots.headers()['content-type']).toContain('text/plain')
      expect(await robots.text()).toContain('User-agent: *')
    },
  )
})

test.describe('the browser', () => {
  test('runs no script that is not ours', async ({ page, site, browserConsole }) => {
    browserConsole.expect(/violates the following Content Security Policy directive.*script-src/)
    await openPage(page, site.url)
    const ran = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
      const image = document.createElement('img')
      image.setAttribute('onerror', 'document.title = "taken over"')
      image.src = 'data:,'
      document.body.append(image)
      return new Promise((resolve) => {
        image.addEventListener('error', () => resolve(document.title === 'taken over'))
      })
    })
    expect(ran).toBe(false)
  })

  test('is kept from calling anybody else', async ({ page, site, browserConsole }) => {
    browserConsole.expect(/violates the following Content Security Policy directive.*connect-src/)
    browserConsole.expect(/Fetch API cannot load|Refused to connect/)
    await openPage(page, site.url)
    const call = page.evaluate(() => fetch('https://example.com/').then(String, String))
    expect(await call).toContain('TypeError')
  })
})

test.describe('over plain http, under a name of its own', SERVER, () => {
  for (const script of [true, false]) {
    test(`a visitor ${script ? 'with' : 'without'} script subscribes`, async ({
      browser,
      site,
    }) => {
      const address = `plain-${script}@example.com`
      // There a browser sends no Sec-Fetch-Site, and Origin must do.
      const page = await browser.newPage({ javaScriptEnabled: script })
      const open = script ? openPage : openPageWithoutScript
      await open(page, site.url.replace('127.0.0.1', 'launch.test'))
      const { status, submit } = signUp(page)
      await submit('nobody')
      await expect(status).toHaveText(INVALID)
      await submit(address)
      await expect(status).toHaveText(THANK_YOU)
      expect(await site.subscribers()).toContain(address)
      await page.context().close()
    })
  }
})
