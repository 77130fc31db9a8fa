/** @module-tag long */
import { type Browser, chromium } from '@playwright/test'
import { expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium/find-chromium.ts'
import { linkKey } from '../fixtures/keys.ts'
import { ownPort } from '../fixtures/own-port.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { startRelay } from '../fixtures/relay.ts'
import { startSite } from '../fixtures/running-site.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { signIn, signUp } from './crowd.ts'
import { amount, report } from './form.ts'

/** Of each kind: GET, HEAD, and a visit of a whole browser that runs script. */
const LOOKS = amount(8, 1000)
/** Pages open at once in the one browser. */
const PAGES = 4
const PRESSES = 100

it('a thousand looks at a link confirm nobody, a hundred presses at once confirm once', {
  timeout: amount(150_000, 1_800_000),
}, async (context) => {
  const found = await findChromium()
  if ('tried' in found) return context.skip('there is no Chromium')
  const { site, link, email } = await withALetter()
  const browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })
  onTestFinished(() => browser.close())
  const page = await (await fetch(link)).text()
  expect(headingOf(page)).toBe('Was this you?')

  for (let n = 0; n < LOOKS; n++) {
    expect((await (await fetch(link)).text()) === page).toBe(true)
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
  }
  let visits = LOOKS
  await Promise.all(
    Array.from({ length: PAGES }, async () => {
      while (visits-- > 0) await scan(browser, link)
    }),
  )
  expect(site.subscribers()).toEqual([])

  const press = async () => {
    const body = new URLSearchParams({ answer: 'yes' })
    const answer = await fetch(link, { method: 'POST', body })
    return { status: answer.status, page: await answer.text() }
  }
  const answers = await Promise.all(Array.from({ length: PRESSES }, press))
  // A press later says the same as the first, and so does a look.
  answers.push(await press())
  const [first = '', ...others] = new Set(answers.map((one) => one.page))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(others).toHaveLength(0)
  expect(headingOf(first)).toBe('Confirmed')
  expect((await (await fetch(link)).text()) === first).toBe(true)
  expect(site.subscribers()).toEqual([email])
  report(context, {
    done: 'a look at a confirmation link: GET, HEAD, and a whole browser with script',
    times: 3 * LOOKS,
    result: 'nobody confirmed, the same page each time',
  })
  report(context, {
    done: 'presses of its button at once',
    times: PRESSES,
    result: 'confirmed once, answered alike',
  })
})

/** The real server with the real page, and somebody who was sent a letter. */
async function withALetter() {
  const root = tempDir()
  copyProject(root, product)
  const { status, stderr } = buildProject(root, { CONFIRM: 'on' })
  expect(status, stderr).toBe(0)
  const relay = await startRelay()
  onTestFinished(() => relay.close())
  const url = `http://127.0.0.1:${ownPort}`
  const site = await startSite({
    root,
    port: ownPort,
    env: {
      CONFIRM: 'on',
      SMTP_URL: relay.url,
      MAIL_FROM: 'hello@example.com',
      LOG_LEVEL: 'warn',
      LINK_KEY: linkKey.toString(),
      PUBLIC_URL: url,
    },
  })
  onTestFinished(() => site.stop())
  const email = 'ada@example.com'
  expect((await signUp(url, await signIn(url), email)).status).toBe(201)
  await expect.poll(() => relay.accepted.length, { timeout: 20_000 }).toBe(1)
  const sent = (await relay.messageTo(email)).text ?? ''
  const link = /http:\S+\/confirm\/[\w-]+/.exec(sent)?.[0] ?? expect.fail('there is no link')
  return { site, link, email }
}

const headingOf = (page: string) => /<h1>(.*?)<\/h1>/.exec(page)?.[1]

/** What programs that check mail do with a page but press its buttons: run it, scroll, hover, follow. */
async function scan(browser: Browser, link: string) {
  const page = await browser.newPage()
  await page.goto(link)
  await page.mouse.wheel(0, 1000)
  for (const button of await page.getByRole('button').all()) {
    await button.hover()
    await button.focus()
  }
  await page.evaluate(
    'Promise.all([location.href, ...Array.from(document.links, (a) => a.href)].map((href) => fetch(href)))',
  )
  await page.close()
}
