import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { Store } from '../../src/store/store.ts'
import { deskCookie } from '../fixtures/desk-cookie.ts'
import { startDnsServer } from '../fixtures/dns-server.ts'
import { enlist } from '../fixtures/enlist.ts'
import type { RunningSite } from '../fixtures/running-site.ts'
import { withStore } from '../fixtures/with-store.ts'
import { people } from '../store/contracts/people.ts'
import { axeFindings } from './accessibility.ts'
import { test as base, expect, leavePages, SERVER } from './fixtures.ts'
import { sidewaysRoom } from './page.ts'

const records = {
  'example.org': ['v=spf1 -all'],
  '_dmarc.example.org': ['v=DMARC1; p=reject'],
}

const test = base.extend<{ quiet: RunningSite }>({
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
})

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
  await expect(page.getByText('To send', { exact: true })).toBeVisible()
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

  test('is seen on a phone as a phone shows it, and as a desktop does, smaller, with its views in lines that fit', async ({
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
  })

  test('is clean to axe on a phone, from the first form to a run that was stopped', async ({
    page,
    quiet: site,
    browserConsole,
  }) => {
    browserConsole.expect(/404/)
    await page.setViewportSize({ width: 360, height: 800 })
    const look = async () => {
      expect(await axeFindings(page, { without: 'iframe' })).toEqual([])
      expect(await sidewaysRoom(page)).toBe(0)
    }
    await page.goto(`${site.url}/desk/letters`)
    await look()
    await page.goto(`${site.url}/desk/letters/new`)
    await look()
    await write(page, site, 'Dear {{name}}', 'mistaken')
    await look()
    await page.goto(`${site.url}/desk/letters/no-such-letter`)
    await look()
    await write(page, site, '# Come in', 'stopped')
    const dns = await startDnsServer(records)
    await check(page, dns.server)
    dns.close()
    await look()
    await page.getByRole('radio', { name: 'Desktop', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Desktop, dark' })).toBeChecked()
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
    /** A run of the desk, by another machine, as long as it holds its lease. */
    const running = (leaseMs: number) =>
      withStore(site, async ({ lock }) => {
        const run = { owner: 'y', host: 'here', pid: 1, announcement: 'stopped' }
        const notes = { stage: 'everyone', next: 'send' } as const
        await lock.acquire({ ...run, notes }, leaseMs, 'y')
      })
    await running(60_000)
    await page.goto(`${site.url}/desk/letters/stopped`)
    await expect(page.getByText('being sent', { exact: true })).toBeVisible()
    await look()
    // The machine went off in the middle.
    await running(1)
    await page.reload()
    await expect(page.getByText('interrupted', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible()
    // Forced colours are the system's: axe measures those that they replace.
    await page.emulateMedia({ forcedColors: 'active' })
    const found = await axeFindings(page, { without: 'iframe' })
    expect(found.filter((line) => !line.startsWith('color-contrast'))).toEqual([])
  })
})
