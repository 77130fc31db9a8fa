import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import { copyProject } from '../fixtures/project-copy.ts'
import { startSite } from '../fixtures/running-site.ts'
import { type BuiltSite, startBuilt } from './built-site.ts'
import { expect, SERVER, test } from './fixtures.ts'
import { endSplash, signUp, THANK_YOU } from './page.ts'

/** What a script in `public` tries, and leaves on its page. */
const attack = `(async () => {
  const tried = async (work) => {
    try {
      return String(await work())
    } catch (error) {
      return error.name
    }
  }
  const done = {
    origin: self.origin,
    desk: await tried(async () => (await fetch('/desk/people', { credentials: 'include' })).status),
    opened: await tried(async () => {
      const opened = open('/desk')
      while (opened && !opened.closed) await new Promise((resolve) => setTimeout(resolve, 20))
      return opened ? 'closed' : 'none'
    }),
    worker: await tried(() => navigator.serviceWorker.register('/press/worker.js')),
    storage: await tried(async () => localStorage.length),
    signUp: await tried(async () => {
      const body = new URLSearchParams({ email: 'thief@example.com' })
      return (await fetch('/subscribe', { method: 'POST', body, mode: 'no-cors' })).type
    }),
    data: await tried(async () => (await (await fetch('data.json')).json()).said),
  }
  document.documentElement.setAttribute('data-done', JSON.stringify(done))
})()`
const svg = 'xmlns="http://www.w3.org/2000/svg"'
const own = {
  'press/index.html': `<!doctype html><title>Press</title><link rel="stylesheet" href="a.css">
    <script src="attack.js"></script><script type="module" src="module.js"></script>
    <a href="/">Our page</a>`,
  'press/a.css': 'body { color: rgb(1, 2, 3) }',
  'press/module.js': 'import "./second.js"',
  'press/second.js': 'document.documentElement.setAttribute("data-module", "ran")',
  'press/data.json': '{ "said": "read" }',
  'press/a.svg': `<svg ${svg}><script href="attack.js"/></svg>`,
  'press/a.xml': `<a><script xmlns="http://www.w3.org/1999/xhtml" src="attack.js"></script></a>`,
  'press/attack.js': attack,
  'press/worker.js': '',
}

test.describe('files of the founder’s own', SERVER, () => {
  test.describe.configure({ mode: 'default' })
  let site: BuiltSite
  test.beforeAll(async () => {
    test.setTimeout(120_000)
    site = await startBuilt((root) => {
      copyProject(root, product)
      for (const [path, content] of Object.entries(own)) {
        mkdirSync(dirname(join(root, 'public', path)), { recursive: true })
        writeFileSync(join(root, 'public', path), content)
      }
    })
  })
  test.afterAll(() => site.stop())

  const done = (page: Page, path: string) =>
    expect
      .poll(() => page.evaluate(() => document.documentElement.getAttribute('data-done')), path)
      .not.toBeNull()

  test('are pages of no origin, that reach neither the desk, nor a worker, nor the list', async ({
    browser,
  }) => {
    const url = site.url.replace('127.0.0.1', 'localhost')
    const context = await browser.newContext()
    await context.addCookies([await deskCookie({ url, dataDir: site.dataDir })])
    const page = await context.newPage()
    for (const path of ['/press/', '/press/index.html', '/press/a.svg', '/press/a.xml']) {
      await page.goto(url + path)
      await done(page, path)
      const said = await page.evaluate(() => document.documentElement.getAttribute('data-done'))
      expect(JSON.parse(said ?? ''), path).toEqual({
        origin: 'null',
        desk: 'TypeError',
        opened: 'closed',
        worker: 'SecurityError',
        storage: 'SecurityError',
        signUp: 'TypeError',
        data: 'read',
      })
    }
    expect(site.subscribers()).toEqual([])
    await page.goto(`${url}/press`)
    expect(page.url()).toBe(`${url}/press/`)
    const looks = () =>
      page.evaluate(() => [
        document.documentElement.getAttribute('data-module'),
        getComputedStyle(document.body).color,
      ])
    await expect.poll(looks).toEqual(['ran', 'rgb(1, 2, 3)'])
    await page.getByRole('link', { name: 'Our page' }).click()
    await expect(page).toHaveTitle(new RegExp(product.name))
    expect(await page.evaluate(() => self.origin)).toBe(url)
    await context.close()
  })

  test('the desk answers no page of ours outside of it, whatever that says of itself', async ({
    browser,
  }) => {
    const url = site.url.replace('127.0.0.1', 'localhost')
    const context = await browser.newContext()
    await context.addCookies([await deskCookie({ url, dataDir: site.dataDir })])
    const page = await context.newPage()
    await page.goto(url)
    const seen = await page.evaluate(async () => {
      const asked = async (options: RequestInit) => (await fetch('/desk/people', options)).status
      const plain = await asked({})
      const unnamed = await asked({ referrerPolicy: 'no-referrer' })
      const named = await asked({ referrer: '/desk' })
      history.pushState(null, '', '/desk')
      const moved = await asked({})
      const post = await asked({ method: 'POST' })
      const events = await new Promise((resolve) => {
        const source = new EventSource('/desk/events?of=today')
        source.onerror = () => resolve('none')
        source.addEventListener('state', () => resolve('events'))
      })
      const opened = open('/desk/people')
      while (opened && !opened.closed) await new Promise((resolve) => setTimeout(resolve, 20))
      return { plain, unnamed, named, moved, post, events, opened: opened?.closed }
    })
    expect(seen).toEqual({
      ...{ plain: 404, unnamed: 404, named: 404, moved: 404, post: 403 },
      ...{ events: 'none', opened: true },
    })
    // The operator goes there, and about in it, as ever.
    await page.goto(`${url}/desk`)
    await page.getByRole('link', { name: 'People' }).first().click()
    await expect(page).toHaveURL(/\/desk\/people/)
    await page.reload()
    await page.goBack()
    await expect(page.getByText('Live')).toBeVisible()
    await context.close()
  })
})

/** An app that was here before: its worker answers for everything, and thanks by itself. */
const formerApp = {
  '/': '<!doctype html><title>Former app</title><script>navigator.serviceWorker.register("/ngsw-worker.js")</script>',
  '/ngsw-worker.js': `
    addEventListener('install', (event) => {
      skipWaiting()
      event.waitUntil(caches.open('app').then((cache) => cache.add('/')))
    })
    addEventListener('activate', (event) => event.waitUntil(clients.claim()))
    addEventListener('fetch', (event) => event.respondWith(
      event.request.mode === 'navigate' ? caches.match('/') : new Response('{}', { status: 201 })))`,
}

test.describe('a domain that had an app before', SERVER, () => {
  test('is free of its worker after one visit, and who signs up then is on the list', async ({
    browser,
  }) => {
    const former = createServer(({ url = '' }, response) => {
      const content = formerApp[url as keyof typeof formerApp]
      const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
      response.writeHead(content ? 200 : 404, { 'content-type': type }).end(content)
    })
    await new Promise<void>((resolve) => former.listen(0, '127.0.0.1', resolve))
    const { port } = former.address() as AddressInfo
    const context = await browser.newContext()
    const page = await context.newPage()
    const url = `http://localhost:${port}`
    await page.goto(url)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.goto('about:blank')
    await new Promise((resolve) => former.close(resolve).closeAllConnections())

    const site = await startSite({ port: String(port) })
    await page.goto(url)
    // The worker shows the former app once more, and then the page by itself.
    await expect(page).toHaveTitle(new RegExp(product.name))
    await endSplash(page)
    await signUp(page).submit('ada@example.com')
    await expect(signUp(page).status).toContainText(THANK_YOU)
    expect(site.subscribers()).toEqual(['ada@example.com'])
    const left = () =>
      page.evaluate(async () => [
        (await navigator.serviceWorker.getRegistrations()).length,
        (await caches.keys()).length,
      ])
    expect(await left()).toEqual([0, 0])
    await context.close()
    await site.stop()
  })
})
