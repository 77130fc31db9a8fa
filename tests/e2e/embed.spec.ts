import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import product from '../../product.config.ts'
import { freePort } from '../../scripts/free-port.ts'
import { enhanceSource } from '../../src/features/embed/enhance.ts'
import { joinScript } from '../../src/features/embed/join-script.ts'
import { pastedForm, policyFor } from '../../src/features/embed/pasted-form.ts'
import { joinPaths } from '../../src/features/embed/paths.ts'
import { site as build } from '../../src/site/site.ts'
import { languages } from '../../src/words/catalogue.ts'
import { en } from '../../src/words/en.ts'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import { builders, document, sandboxed, startOtherSite } from '../fixtures/other-site.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { axeFindings } from './accessibility.ts'
import { SERVER } from './fixtures.ts'
import { FAILED, INVALID, THANK_YOU, WITH_A_SCREEN } from './page.ts'

test.use({ userAgent: WITH_A_SCREEN })
// One server and one other site for all of them.
test.describe.configure({ mode: 'serial' })

const scriptFile = readFileSync(build.joinScript())
let us: RunningSite
let other: Awaited<ReturnType<typeof startOtherSite>>

/** What is pasted. @param back the path of the page that it comes back to. */
function pasted(back?: string, isFramed = false, language?: string) {
  const page = back && `${other.origin}${back}`
  const common = { path: '', publicUrl: us.url, script: scriptFile, confirm: false, page, isFramed }
  return pastedForm({ ...common, product: { ...product, ...(language && { language }) } })
}

function pages() {
  const { form, script } = pasted()
  const ar = pasted(undefined, false, 'ar')
  const policy = policyFor(us.url)
  const withBuilders = Object.entries(builders).flatMap(([name, around]) => [
    [`/${name}`, { html: around(form) }],
    [`/${name}/back`, { html: around(pasted(`/${name}/back`).form) }],
    [`/${name}/script`, { html: around(`${form}\n${script}`) }],
  ])
  const strict = `default-src 'none'; ${policy.form}; ${policy.script}`
  return {
    ...Object.fromEntries(withBuilders),
    // As browsers from before 2025 take it.
    '/old/back': { html: document(pasted('/old/back').form.replace('=until-found', '')) },
    '/strict/back': {
      html: document(pasted('/strict/back').form),
      headers: { 'content-security-policy': strict },
    },
    '/strict/script': {
      html: document(form + script),
      headers: { 'content-security-policy': strict },
    },
    '/half/script': {
      html: document(form + script),
      headers: { 'content-security-policy': strict.replace(/connect-src \S+/, '') },
    },
    '/frame': { html: document(sandboxed(pasted(undefined, true).form)) },
    '/ar/script': {
      html: document(`<h1>موقع</h1>${ar.form}${ar.script}`, '', 'lang="ar" dir="rtl"'),
    },
  }
}

test.beforeAll(async () => {
  other = await startOtherSite(() => pages())
  const port = String(await freePort())
  const env = { EMBED_ORIGINS: other.origin, PUBLIC_URL: `http://127.0.0.1:${port}` }
  us = await startSite({ port, env })
})
test.afterAll(async () => {
  other?.close()
  await us?.stop()
})

const fill = (page: Pick<Page, 'getByLabel'>, email: string) =>
  page.getByLabel('Email address').fill(email)
const press = (page: Pick<Page, 'getByRole'>) =>
  page.getByRole('button', { name: 'Notify Me' }).click()

/** The other origins and paths that a browser asked. */
function asked(context: BrowserContext) {
  const found = new Set<string>()
  context.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin !== other.origin) found.add(origin === us.url ? pathname : origin)
  })
  return found
}

/** As a block list does, which knows no site. */
const blockByWords = (context: BrowserContext) =>
  context.route(/subscribe|track|form/, (route) => route.abort())

/** The sum of all shifts that no press explains. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          })[])
            if (!entry.hadRecentInput) sum += entry.value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(sum)))
      }),
  )

const names = Object.keys(builders)

test.describe('a form on another site, without script', SERVER, () => {
  test.use({ javaScriptEnabled: false })

  test('leads to our thanks, in whatever style it stands', async ({ page, context }) => {
    await blockByWords(context)
    const found = asked(context)
    for (const name of names)
      await test.step(name, async () => {
        await page.goto(`${other.origin}/${name}`)
        await fill(page, `${name}@example.com”`)
        await press(page)
        await expect(page.getByText(THANK_YOU)).toBeVisible()
        expect(page.url()).toBe(us.url + joinPaths.joined)
      })
    expect(us.subscribers()).toEqual(names.map((name) => `${name}@example.com`))
    expect([...found].filter((one) => !one.startsWith('/'))).toEqual([])
  })

  test('comes back to its own page with the thanks, also where no inline style is allowed, or the browser is old', async ({
    page,
  }) => {
    for (const name of [...names, 'old', 'strict'])
      await test.step(name, async () => {
        await page.goto(`${other.origin}/${name}/back`)
        const thanks = page.getByText(THANK_YOU)
        await expect(thanks).toBeHidden()
        await fill(page, `${name}.back@example.com`)
        await press(page)
        await page.waitForURL(`${other.origin}/${name}/back#joined`)
        await expect(thanks).toBeVisible()
        const box = await thanks.boundingBox()
        expect(box?.height).toBeGreaterThan(10)
      })
    expect(us.subscribers()).toContain('strict.back@example.com')
  })
})

test.describe('a form on another site, with its script', SERVER, () => {
  test('answers in place, moves nothing and asks nobody else', async ({ page, context }) => {
    await blockByWords(context)
    const found = asked(context)
    for (const name of [...names, 'strict'])
      await test.step(name, async () => {
        await page.setViewportSize({ width: 320, height: 700 })
        await page.goto(`${other.origin}/${name}/script`)
        const status = page.getByRole('status')
        await fill(page, 'ada@example')
        await press(page)
        await expect(status).toHaveText(INVALID)
        await expect(page.getByLabel('Email address')).toHaveValue('ada@example')
        await expect(page.getByLabel('Email address')).toBeEnabled()
        await fill(page, `${name}.script@example.com`)
        const posts: string[] = []
        page.on('request', (one) => void (one.method() === 'POST' && posts.push(one.url())))
        await page.getByRole('button', { name: 'Notify Me' }).dblclick({ force: true })
        await expect(status).toHaveText(THANK_YOU)
        await expect(page.getByLabel('Email address')).toBeDisabled()
        await expect(page.getByLabel('Email address')).toHaveValue('')
        expect(posts).toEqual([us.url + joinPaths.join])
        expect(page.url()).toBe(`${other.origin}/${name}/script`)
        expect(await layoutShift(page)).toBe(0)
      })
    expect([...found].toSorted()).toEqual([expect.stringMatching(/^\/assets\/join-/), '/join'])
    expect(await context.cookies()).toEqual([])
    expect(us.subscribers()).toContain('strict.script@example.com')
  })

  // Where a test has routes, Playwright itself grants each preflight.
  test('answers in place without a preflight, which nobody grants', async ({ page }) => {
    await page.goto(`${other.origin}/bare/script`)
    await fill(page, 'no.preflight@example.com')
    await press(page)
    await expect(page.getByRole('status')).toHaveText(THANK_YOU)
    expect(page.url()).toBe(`${other.origin}/bare/script`)
  })

  test('moves nothing either where the answer is late, and says that it could not', async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await context.route(us.url + joinPaths.join, async (route) => {
      await released
      const headers = { 'access-control-allow-origin': other.origin }
      await route.fulfill({ status: 429, headers, json: { error: 'too-many-requests' } })
    })
    await page.goto(`${other.origin}/bare/script`)
    await fill(page, 'late@example.com')
    await press(page)
    await expect(page.getByRole('status')).toHaveText('Submitting...')
    // Chromium explains by a press what moves within half a second of it.
    await page.waitForFunction((from) => performance.now() - from > 600, await now(page))
    release()
    await expect(page.getByRole('status')).toHaveText(FAILED)
    await expect(page.getByRole('button', { name: 'Notify Me' })).toBeEnabled()
    expect(await layoutShift(page)).toBe(0)
  })

  test('is accessible before and after, in English and in Arabic', async ({ page, context }) => {
    await page.goto(`${other.origin}/bare/script`)
    expect(await axeFindings(page)).toEqual([])
    const arabic = joinScript(enhanceSource, languages.ar ?? en, { path: '', confirm: false })
    await context.route('**/assets/join-*.js', (route) =>
      // Held to the hash of the English one otherwise.
      route.fulfill({ body: arabic, headers: { 'access-control-allow-origin': '*' } }),
    )
    await page.addInitScript(() => {
      new MutationObserver(() => {
        for (const one of globalThis.document.querySelectorAll('script[integrity]'))
          one.removeAttribute('integrity')
      }).observe(globalThis.document, { childList: true, subtree: true })
    })
    await page.goto(`${other.origin}/ar/script`)
    await page.getByLabel(languages.ar?.label ?? '').fill('arabic@example.com')
    await page.getByRole('button', { name: languages.ar?.submit ?? '' }).click()
    await expect(page.getByRole('status')).toHaveText(languages.ar?.subscribed ?? '')
    await expect(page.getByRole('status')).toHaveCSS('direction', 'rtl')
    expect(await axeFindings(page)).toEqual([])
    expect(us.subscribers()).toContain('arabic@example.com')
  })

  test('goes by itself where the script, or what it sends, is blocked', async ({
    page,
    context,
  }) => {
    await page.goto(`${other.origin}/half/script`)
    await fill(page, 'half@example.com')
    await press(page)
    await expect(page.getByText(THANK_YOU)).toBeVisible()
    await context.route('**/assets/join-*.js', (route) => route.abort())
    await page.goto(`${other.origin}/bare/script`)
    await fill(page, 'blocked@example.com')
    await press(page)
    await expect(page.getByText(THANK_YOU)).toBeVisible()
    expect(us.subscribers()).toEqual(
      expect.arrayContaining(['half@example.com', 'blocked@example.com']),
    )
  })

  test('is refused on every other site', async ({ page }) => {
    await page.goto(`${other.stranger}/bare/script`)
    await fill(page, 'stranger@example.com')
    await press(page)
    await expect(page.getByText(FAILED)).toBeVisible()
    expect(us.subscribers()).not.toContain('stranger@example.com')
  })
})

test(
  'a form in a sandboxed frame opens our page with the address in it',
  SERVER,
  async ({ page, context }) => {
    await page.goto(`${other.origin}/frame`)
    const frame = page.frameLocator('iframe')
    await fill(frame, 'framed@example.com')
    const [window] = await Promise.all([context.waitForEvent('page'), press(frame)])
    await expect(window.getByLabel('Email address')).toHaveValue('framed@example.com')
    await press(window)
    await expect(window.getByText(THANK_YOU)).toBeVisible()
    expect(us.subscribers()).toContain('framed@example.com')
    await window.close()
  },
)

test('the desk shows what to paste, and copies it', SERVER, async ({ page, context }) => {
  await context.addCookies([await deskCookie(us)])
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: us.url })
  await page.goto(`${us.url}/desk/embed`)
  await expect(page.getByRole('listitem').filter({ hasText: other.origin })).toBeVisible()
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(width)
    expect(await axeFindings(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Copy the form' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied the form' })).toBeAttached()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(pasted().form)
  await page.goto('about:blank')
})

test('of all these people, none is quarantined', SERVER, async () => {
  expect(us.subscribers().length).toBeGreaterThan(0)
  expect(us.quarantined()).toEqual([])
})

const now = (page: Page) => page.evaluate(() => performance.now())
