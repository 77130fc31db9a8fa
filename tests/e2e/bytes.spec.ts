import product from '../../product.config.ts'
import { logosOf } from '../../src/shared/look.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { openConnectedPage, protocolOf } from './page.ts'

const FIRST_LOAD_BUDGET = 80_000

test(
  'the whole first load, but for the logo, fits its budget',
  SERVER,
  async ({ page, site }, testInfo) => {
    const browser = await protocolOf(page)
    await browser.send('Network.enable')
    const calls = new Map<string, string>()
    const sizes: Record<string, number> = {}
    browser.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
      if (url.startsWith('http') && !logosOf(product).some((logo) => url.endsWith(logo)))
        calls.set(requestId, `${method} ${new URL(url).pathname}`)
    })
    browser.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const call = calls.get(requestId)
      if (call) sizes[call] = (sizes[call] ?? 0) + encodedDataLength
    })
    await openConnectedPage(page, site.url)
    await expect.poll(() => Object.keys(sizes)).toContain('POST /api/session')

    expect(sizes['GET /'] ?? 0).toBeGreaterThan(5000)
    const whole = Object.values(sizes).reduce((sum, size) => sum + size)
    testInfo.annotations.push({ type: 'first load', description: `${whole} B` })
    console.log(`first load ${whole} B of ${FIRST_LOAD_BUDGET}: ${JSON.stringify(sizes)}`)
    expect(whole).toBeLessThanOrEqual(FIRST_LOAD_BUDGET)
  },
)
