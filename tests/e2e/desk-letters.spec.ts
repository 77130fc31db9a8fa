import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { freePort } from '../../scripts/free-port.ts'
import type { Store } from '../../src/store/store.ts'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import { startDnsServer } from '../fixtures/dns-server.ts'
import { enlist } from '../fixtures/enlist.ts'
import { type Relay, startRelay } from '../fixtures/relay.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { withStore } from '../fixtures/with-store.ts'
import { people } from '../store/contracts/people.ts'
import { axeFindings } from './accessibility.ts'
import { test as base, expect, leavePages, SERVER } from './fixtures.ts'
import { longOf } from './long.ts'
import { sidewaysRoom } from './page.ts'

interface Announcing {
  readonly site: RunningSite
  readonly relay: Relay
  readonly dns: string
  /** When so many messages have come, whoever is next waits. */
  holdAfter(messages: number): void
  letGo(): void
  store<T>(work: (store: Store) => Promise<T>): Promise<T>
}

const records = {
  'example.org': ['v=spf1 -all'],
  '_dmarc.example.org': ['v=DMARC1; p=reject'],
}

const test = base.extend<{ announcing: Announcing; quiet: RunningSite }>({
  /** A site whose letters are only looked at. */
  quiet: async ({ shared, context }, use) => {
    const site = await shared('quiet', async () => {}, {
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'The team <team@example.org>',
      UNSUBSCRIBE_URL: 'http://127.0.0.1:9/unsubscribe',
    })
    await context.addCookies([await deskCookie(site)])
    await use(site)
    await leavePages(context)
    await rm(join(site.dataDir, 'letters'), { recursive: true })
  },

  announcing: async ({ context }, use) => {
    let [most, held] = [Number.POSITIVE_INFINITY, Promise.withResolvers<void>()]
    const relay: Relay = await startRelay(() => 'accept', {
      before: async () => (relay.read.length < most ? undefined : held.promise),
    })
    const dns = await startDnsServer(records)
    const port = String(await freePort())
    const site = await startSite({
      port,
      env: {
        SMTP_URL: relay.url,
        MAIL_FROM: 'The team <team@example.org>',
        UNSUBSCRIBE_URL: `http://127.0.0.1:${port}/unsubscribe`,
      },
    })
    await context.addCookies([await deskCookie(site)])
    const letGo = () => {
      held.resolve()
      most = Number.POSITIVE_INFINITY
      held = Promise.withResolvers()
    }
    await use({
      site,
      relay,
      dns: dns.server,
      letGo,
      holdAfter: (messages) => {
        most = messages
      },
      store: (work) => withStore(site, work),
    })
    letGo()
    for (const page of context.pages()) await page.close()
    await site.stop()
    await relay.close()
    dns.close()
  },
})
const long = longOf(test)

/** As a run that told the first of three, failed with the second, and was stopped. */
async function beginToTell(store: Store, name: string) {
  const { list, lock, ledger } = store
  await list.importAll(people(3))
  await lock.acquire({ owner: 'x', host: 'elsewhere', pid: 1 }, 60_000)
  await ledger.begin('x', name, { subject: 'We are live', digest: 'x' })
  await enlist(store, 'x', name, people(3))
  await ledger.countEligible('x', name)
  const claimed = await ledger.claim('x', name, { limit: 2, which: 'untried' })
  const ends = [
    { status: 'sent', answer: '250 ok' },
    { status: 'failed', answer: '550 no' },
  ] as const
  await ledger.record(
    'x',
    name,
    claimed.map((one, i) => ({ ...one, ...ends[i === 0 ? 0 : 1] })),
  )
  await lock.release('x')
}

async function write(page: Page, { url }: RunningSite, text: string, name = 'launch') {
  await page.goto(`${url}/desk/letters/new`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Subject').fill('We are live')
  await page.getByLabel('Text').fill(text)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(`${url}/desk/letters/${name}`)
}

async function check(page: Page, dns: string) {
  await page.getByText('How it is sent').click()
  await page.getByLabel('Rate').fill('1000')
  await page.getByLabel('DNS server').fill(dns)
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText(/ to send$/)).toBeVisible()
}

/** Types the number that a form asks for, and sends it. */
async function send(page: Page, title: string) {
  const form = page.locator('form', { has: page.getByRole('heading', { name: title }) })
  await form.getByRole('textbox').fill((await form.locator('label strong').textContent()) ?? '')
  await form.getByRole('button').click()
}

test.describe('a letter at the desk', SERVER, () => {
  test('runs nothing and reaches out to nobody, whatever is in it', async ({
    page: calm,
    quiet: site,
    browser,
  }) => {
    test.slow()
    await write(calm, site, '# Come in', 'calm')
    await expect(calm.frameLocator('iframe:visible').getByRole('heading')).toBeVisible()

    let asked = 0
    const outside = createServer((_request, response) => {
      asked += 1
      response.end()
    })
    let connected = 0
    outside.on('connection', () => {
      connected += 1
    })
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
    const { port } = outside.address() as AddressInfo
    const evil = `http://127.0.0.1:${port}`
    // What is tried here is said in the console, and that is not looked at.
    const context = await browser.newContext()
    await context.addCookies([await deskCookie(site)])
    const page = await context.newPage()
    await write(
      page,
      site,
      [
        '# Come in',
        `<script>document.title = 'owned'; fetch('${evil}/script')</script>`,
        `<img src="${evil}/picture.png" onerror="parent.document.title = 'owned'">`,
        `<iframe src="${site.url}/desk/letters" srcdoc="<script>top.document.title='owned'</script>"></iframe>`,
        `<style>@import url(${evil}/import.css); body { background: url(${evil}/background.png) }</style>`,
        `<link rel="stylesheet" href="${evil}/sheet.css">`,
        `<link rel="preconnect" href="${evil}"><link rel="prefetch" href="${evil}/prefetch">`,
        `<link rel="preload" as="image" href="${evil}/preload"><link rel="dns-prefetch" href="${evil}">`,
        `<meta http-equiv="refresh" content="0;url=${evil}/refresh">`,
        `<form action="${evil}/form" id="f"><button formtarget="_top">Press</button></form>`,
        `<a href="javascript:top.document.title='owned'" target="_top">One</a>`,
        `<a href="${evil}/link" target="_top">Two</a>`,
        `<a href="${evil}/self" target="_self">Three</a>`,
        `<object data="${evil}/object"></object><embed src="${evil}/embed">`,
        `<video src="${evil}/video" autoplay></video>`,
        `<base href="${evil}/">`,
        `<svg onload="parent.document.title='owned'"><use href="${evil}/use#x"></use></svg>`,
      ].join('\n\n'),
    )
    const isAlone = async () => {
      await sleep(300)
      expect(await page.title()).not.toBe('owned')
      expect(asked).toBe(0)
    }
    const path = `${site.url}/desk/letters/launch`
    await page.goto(path)
    await expect(page.frameLocator('iframe:visible').getByText('Three')).toBeVisible()
    await isAlone()
    expect(connected).toBe(0)
    // Who presses a link may have the browser connect ahead; it is not followed.
    const inside = page.frameLocator('iframe:visible')
    for (const [role, name] of [
      ['link', 'One'],
      ['link', 'Two'],
      ['button', 'Press'],
      // The last: it leaves the frame empty.
      ['link', 'Three'],
    ] as const) {
      await inside.getByRole(role, { name }).click({ noWaitAfter: true })
      await isAlone()
      expect(page.url(), name).toBe(path)
    }
    // Opened by itself it is as poor.
    await page.goto(`${path}/html?scheme=dark`)
    await expect(page.getByRole('heading', { name: 'Come in' })).toBeVisible()
    await isAlone()
    await context.close()
    outside.close()
  })

  long(
    'is dark where that is asked, whatever the browser prefers',
    async ({ page, quiet: site }) => {
      await write(page, site, '# Come in')
      const ground = () =>
        page
          .frameLocator('iframe:visible')
          .locator('body')
          .evaluate((body) => getComputedStyle(body).backgroundColor)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const device of ['Desktop', 'Phone']) {
          await page.getByLabel(device, { exact: true }).check({ force: true })
          await expect.poll(ground).toBe('rgb(242, 243, 245)')
          await page.getByLabel(`${device}, dark`).check({ force: true })
          await expect.poll(ground).toBe('rgb(8, 9, 11)')
        }
      }
    },
  )

  test('is seen on a phone as a phone shows it, and as a desktop does, smaller, with its views in lines that fit, and two of them side by side where there is room', async ({
    page,
    quiet: site,
  }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await write(page, site, '# Come in')
    const frame = page.locator('iframe:visible')
    const widths = async () => {
      const html = frame.contentFrame().locator('html')
      const { width = 0 } = (await frame.boundingBox()) ?? {}
      return { inside: await html.evaluate((one) => one.clientWidth), shown: Math.round(width) }
    }
    const views = page.getByRole('group', { name: 'How it is shown' })
    const room = (await views.boundingBox())?.width ?? 0
    for (const view of await views.locator('label').all()) {
      const { x = 0, width = 0 } = (await view.boundingBox()) ?? {}
      expect(x + width, (await view.textContent()) ?? '').toBeLessThanOrEqual(320)
    }
    await expect(page.getByLabel('Phone', { exact: true })).toBeChecked()
    const phone = await widths()
    expect(phone.inside).toBe(phone.shown)
    await page.getByLabel('Desktop', { exact: true }).check({ force: true })
    const desktop = await widths()
    expect(desktop.inside).toBeGreaterThanOrEqual(600)
    expect(desktop.shown).toBeLessThanOrEqual(room)
    await views.evaluate((one) =>
      one.insertAdjacentHTML(
        'beforeend',
        '<div class="letter-pair"><figure>One</figure><figure>Two</figure></div>',
      ),
    )
    for (const [width, rows] of [
      [320, 2],
      [768, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 700 })
      const tops = await views
        .locator('figure')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(new Set(tops).size, `${width} px`).toBe(rows)
    }
  })

  test('is clean to axe on a phone, before it is sent and when it was stopped', async ({
    page,
    quiet: site,
  }) => {
    await page.setViewportSize({ width: 360, height: 800 })
    const look = async () => {
      expect(await axeFindings(page, { without: 'iframe' })).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(360)
    }
    await write(page, site, '# Come in', 'stopped')
    await look()
    await withStore(site, (store) => beginToTell(store, 'stopped'))
    await page.reload()
    await expect(
      page.getByText('The balance holds: 3 = 1 sent + 1 failed + 1 queued'),
    ).toBeVisible()
    // Not "of 3": the one in the queue may have left.
    await expect(page.getByText('so far', { exact: true })).toBeVisible()
    await look()
    await page.goto(`${site.url}/desk/letters`)
    await expect(page.getByText('1 so far')).toBeVisible()
    // The machine went off in the middle of a run of the desk.
    const gone = { owner: 'y', host: 'here', pid: 1, announcement: 'stopped' }
    await withStore(site, async ({ lock }) => {
      await lock.acquire({ ...gone, notes: { stage: 'everyone', next: 'send' } }, 1)
    })
    await page.goBack()
    await page.reload()
    await expect(page.getByText('interrupted', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible()
    // Forced colours are the system's: axe measures those that they replace.
    await page.emulateMedia({ forcedColors: 'active' })
    const found = await axeFindings(page, { without: 'iframe' })
    expect(found.filter((line) => !line.startsWith('color-contrast'))).toEqual([])
  })

  long(
    'is clean to axe, at 360 px without moving sideways, and works by the keyboard',
    async ({ page, announcing: { site, dns, store } }) => {
      test.slow()
      await store((to) => to.list.importAll(people(30)))
      await page.setViewportSize({ width: 360, height: 800 })
      const look = async (what: string) => {
        // A letter's own HTML is a letter's: in its frame, where no script runs, axe does not, either.
        expect(await axeFindings(page, { without: 'iframe' }), what).toEqual([])
        expect(await sidewaysRoom(page), what).toBe(0)
      }
      await page.goto(`${site.url}/desk/letters`)
      await look('no letter yet')
      await page.goto(`${site.url}/desk/letters/new`)
      await look('a new letter')
      await write(page, site, 'Dear {{name}}')
      await look('a letter with mistakes')
      await write(page, site, '# Come in', 'second')
      await check(page, dns)
      await look('a letter that is ready')
      // By the keyboard alone: to dark, and to the form.
      await page.getByRole('radio', { name: 'Desktop', exact: true }).focus()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('radio', { name: 'Desktop, dark' })).toBeChecked()
      const number = page.getByLabel('Type 30 to send it')
      await number.focus()
      await page.keyboard.type('30')
      await page.keyboard.press('Enter')
      await expect(page.getByText('The balance holds: 30 = 30')).toBeVisible()
      await look('a letter that was sent')
      await page.goto(`${site.url}/desk/letters`)
      await look('the letters')
    },
  )
})

test.describe('a letter on its way, in both kinds of colours', SERVER, () => {
  long(
    'is clean to axe while it runs, when it is stopped, failed, or is not there',
    async ({ page, announcing: { site, relay, dns, store, holdAfter, letGo }, browserConsole }) => {
      test.slow()
      browserConsole.expect(/404|409/)
      await store((to) => to.list.importAll(people(60)))
      await page.setViewportSize({ width: 360, height: 800 })
      const look = async (what: string) => {
        for (const forcedColors of ['none', 'active'] as const) {
          await page.emulateMedia({ forcedColors })
          // Forced colours are the system's: axe measures those that they replace.
          const found = (await axeFindings(page, { without: 'iframe' })).filter(
            (line) => forcedColors === 'none' || !line.startsWith('color-contrast'),
          )
          expect(found, `${what}, forced colours: ${forcedColors}`).toEqual([])
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(wide, what).toBeLessThanOrEqual(360)
      }
      await write(page, site, '# Come in')
      await check(page, dns)
      holdAfter(20)
      await send(page, 'Everyone')
      await expect.poll(() => relay.read.length).toBeGreaterThanOrEqual(20)
      const stop = page.getByRole('button', { name: 'Stop' })
      await expect(stop).toBeVisible()
      await look('one that runs')
      await stop.click()
      letGo()
      await expect(
        page.getByText('Stopped, with everything under way finished.', { exact: true }),
      ).toBeVisible()
      await look('one that is stopped')
      const again = page.locator('form', { hasText: 'Everyone else' })
      await again.getByRole('textbox').fill('7')
      await again.getByRole('button').click()
      await expect(page.getByText('Nothing was sent: ')).toBeVisible()
      await look('a problem: 409')
      // The mail server is away: it stops by itself.
      await relay.close()
      await page.reload()
      await send(page, 'Everyone else')
      await expect(
        page.getByText(/^Nothing is sent until the problems are solved\. .*Mail server: /),
      ).toBeVisible()
      await look('one that failed')
      await page.goto(`${site.url}/desk/letters/no-such-letter`)
      await look('a problem: 404')
    },
  )
})

test.describe('without script', SERVER, () => {
  test.use({ javaScriptEnabled: false })

  test('a letter is written, brought as a file, looked at and sent', async ({
    page,
    announcing: { site, dns, store, relay },
  }) => {
    await store((to) => to.list.importAll(people(3)))
    await page.goto(`${site.url}/desk/letters/new`)
    await page.getByLabel('A letter in Markdown').setInputFiles({
      name: 'Launch.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('---\nsubject: We are live\n---\n# Come in\n'),
    })
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page).toHaveURL(`${site.url}/desk/letters/launch`)
    await page.getByLabel('Text', { exact: true }).check({ force: true })
    await expect(page.locator('[data-view=text]')).toContainText('Come in')
    await check(page, dns)
    await send(page, 'Everyone')
    await expect.poll(() => relay.accepted.length).toBe(3)
    await expect(async () => {
      await page.reload()
      await expect(page.getByText('The balance holds: 3 = 3')).toBeVisible({ timeout: 500 })
    }).toPass({ timeout: 60_000 })
  })
})
