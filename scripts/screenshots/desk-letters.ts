import type { Browser, BrowserContext, Page } from '@playwright/test'
import { keptLinkKey } from '../../src/keys/link-key.ts'
import product from '../../src/product/product.ts'
import { openStore } from '../../src/store/open-store.ts'
import { deskCookie } from '../../tests/fixtures/desk-cookie.ts'
import { startDnsServer } from '../../tests/fixtures/dns-server.ts'
import { startRelay } from '../../tests/fixtures/relay.ts'
import { type RunningSite, startSite } from '../../tests/fixtures/running-site.ts'
import { people } from '../../tests/store/contracts/people.ts'
import { freePort } from '../free-port.ts'

const sizes = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]

const PEOPLE = 4000

const records = {
  'example.org': ['v=spf1 include:relay.example -all'],
  '_dmarc.example.org': ['v=DMARC1; p=reject'],
  'k1._domainkey.example.org': ['v=DKIM1; k=rsa; p=MIGf'],
}

const text = `# The bell has rung

You asked to be told when **${product.name}** goes live. It does, today.

**[Come in](https://example.org)**

- Every market on one screen
- Alerts that wait for you, not the other way round

See you inside,
Ada and the team`

/** Takes pictures of the letters at the desk in each of their states. */
export async function shootDeskLetters(browser: Browser, folder: string): Promise<void> {
  let isHeld = false
  let isRefused = false
  let release = Promise.withResolvers<void>()
  const relay = await startRelay(
    (to) => (isRefused || /^person(17|204)@/.test(to) ? 'refuse' : 'accept'),
    { before: async () => isHeld && release.promise },
  )
  const dns = await startDnsServer(records)
  const port = String(await freePort())
  const mail = {
    SMTP_URL: relay.url,
    MAIL_FROM: `${product.name} <hello@example.org>`,
    UNSUBSCRIBE_URL: `http://127.0.0.1:${port}/unsubscribe`,
  }
  const site = await startSite({ port, env: mail })
  const cookie = await deskCookie(site)
  const open = async (options: Parameters<Browser['newContext']>[0] = {}) => {
    const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...options })
    await context.addCookies([cookie])
    return context
  }
  const work = await open()
  const page = await work.newPage()

  async function shoot(what: string, path: string, prepare = async (_page: Page) => {}) {
    for (const viewport of sizes) await shootIn(await open({ viewport }), viewport, what)
    const viewport = { width: 360, height: 800 }
    await shootIn(await open({ viewport, javaScriptEnabled: false }), viewport, `${what}-no-script`)
    const forced = await open({ viewport: { width: 1440, height: 900 }, forcedColors: 'active' })
    await shootIn(forced, { width: 1440, height: 900 }, `${what}-forced-colours`)

    async function shootIn(
      context: BrowserContext,
      { width, height }: { width: number; height: number },
      name: string,
    ) {
      const shown = await context.newPage()
      await shown.goto(site.url + path, { waitUntil: 'load' })
      await prepare(shown)
      // As high as it is, so that what is drawn apart, such as a letter in its frame, is drawn whole.
      const whole = await shown.evaluate(() => document.documentElement.scrollHeight)
      await shown.setViewportSize({ width, height: Math.max(height, whole) })
      const frame = shown.locator('iframe:visible')
      if ((await frame.count()) > 0) await frame.contentFrame().locator('body').waitFor()
      await shown.screenshot({
        path: `${folder}/${width}x${height}-desk-${name}.png`,
        animations: 'disabled',
        fullPage: true,
      })
      await context.close()
    }
  }

  /** Writes a letter. @returns its path. */
  async function write(name: string, subject: string, body = text) {
    await page.goto(`${site.url}/desk/letters/new`)
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Subject').fill(subject)
    await page.getByLabel('Preview').fill('Your seat is ready. Come in.')
    await page.getByLabel('Text').fill(body)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**/desk/letters/${name}`)
    return `/desk/letters/${name}`
  }

  async function check(also?: string) {
    await page.getByText('How it is sent').click()
    if (also) await page.getByLabel(also).check()
    await page.getByLabel('Letters a second').fill('1000')
    await page.getByLabel('DKIM selector').fill('k1')
    await page.getByLabel('DNS server').fill(dns.server)
    await page.getByRole('button', { name: /^Check/ }).click()
    await page.getByText(/ to send$/).waitFor()
  }

  async function send(button: RegExp) {
    const form = page.locator('form.send', { has: page.getByRole('button', { name: button }) })
    const count = await form.first().locator('label strong').textContent()
    await form
      .first()
      .getByRole('textbox')
      .fill(count ?? '')
    await form.first().getByRole('button').click()
  }

  const isOver = (words: string) => page.getByText(words).first().waitFor({ timeout: 600_000 })

  try {
    await shoot('letters-empty', '/desk/letters')
    await shoot('letter-new', '/desk/letters/new')
    await addPeople(site)

    await shoot('letter-mistakes', await write('draft', 'We are live', 'Dear {{name}}, come in.'))
    const launch = await write('launch', `${product.name} is open`)
    await shoot('letter-fresh', launch)
    await check()
    await shoot('letter-ready', launch)
    await shoot('letter-ready-dark', launch, async (shown) => {
      await shown.getByLabel('Desktop, dark').check({ force: true })
    })
    await shoot('letter-ready-phone', launch, async (shown) => {
      await shown.getByLabel('Phone', { exact: true }).check({ force: true })
    })
    await shoot('letter-headers', launch, async (shown) => {
      await shown.getByLabel('Headers').check({ force: true })
    })

    const hold = async (after: number) => {
      const enough = relay.read.length + after
      while (relay.read.length < enough) await new Promise((resolve) => setTimeout(resolve, 10))
      isHeld = true
    }
    const letGo = () => {
      isHeld = false
      release.resolve()
      release = Promise.withResolvers()
    }

    const held = hold(18)
    await send(/^Send to 40 people/)
    await held
    await shoot('letter-one-per-cent', launch)
    letGo()
    await page.goto(site.url + launch)
    await isOver('This stage is done.')
    await shoot('letter-in-part', launch)

    const heldAgain = hold(1180)
    await send(/^Send to/)
    await heldAgain
    await shoot('letter-sending', launch)
    letGo()
    await page.goto(site.url + launch)
    await isOver('Done.')
    await shoot('letter-told', launch)

    isRefused = true
    const second = await write('second', 'One more thing')
    await check('launch')
    await send(/^Send to \d,\d+ people/)
    await isOver('Stopped: more than 5 % of this run failed')
    await shoot('letter-stopped', second)
    await shoot('letters', '/desk/letters')

    isRefused = false
  } finally {
    await work.close()
    await relay.close()
    dns.close()
    await site.stop()
  }
}

async function addPeople({ dataDir }: RunningSite) {
  const linkKey = keptLinkKey(dataDir)
  const { appId } = product
  const { store } = await openStore({ kind: 'sqlite', dataDir, appId, linkKey, log: () => {} })
  const all = people(PEOPLE)
  for (let i = 0; i < all.length; i += 500) await store.list.importAll(all.slice(i, i + 500))
  await store.standings.set([
    { email: 'person31@example.com', standing: 'unsubscribed' },
    { email: 'person77@example.com', standing: 'bounced', detail: '550 5.1.1 no such user' },
  ])
  await store.close()
}
