/** @module-tag thorough */

import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { CHROMIUM_ARGS } from '../../scripts/chromium/find-chromium.ts'
import { obtainChromium } from '../../scripts/chromium/obtain-chromium.ts'
import { FRIEND_SLOT, site as paths } from '../../src/site/site.ts'
import { en } from '../../src/words/en.ts'
import { ownPort } from '../fixtures/own-port.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { type Relay, startRelay } from '../fixtures/relay.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'

/** Where pictures go, for looking: set it by hand. */
const PICTURES = process.env.CONFIRM_PICTURES

describe('a founder who turns confirmation on', () => {
  let browser: Browser
  let relay: Relay
  let site: RunningSite
  let root: string
  let folder: string
  const publicUrl = `http://127.0.0.1:${ownPort}`

  beforeAll(async () => {
    const found = await obtainChromium()
    if ('error' in found) throw new Error(found.error)
    browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })
    relay = await startRelay()
    root = mkdtempSync(join(tmpdir(), 'opening-bell-'))
    folder = mkdtempSync(join(tmpdir(), 'opening-bell-site-'))
    copyProject(root, product)
    const settings = {
      CONFIRM: 'on',
      REFERRALS: 'on',
      PUBLIC_URL: publicUrl,
      SMTP_URL: relay.url,
      LOG_LEVEL: 'warn',
      MAIL_FROM: 'Meridian <hello@example.com>',
    }
    expect(buildProject(root, settings)).toMatchObject({ status: 0, stderr: '' })
    site = await startSite({ root, env: settings, port: ownPort, folder })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await site?.stop()
    await relay?.close()
    rmSync(root, { recursive: true, force: true })
  })

  async function open(path: string, { script = true } = {}) {
    const context = await browser.newContext({
      javaScriptEnabled: script,
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 760 },
      colorScheme: 'dark',
    })
    const page = await context.newPage()
    await page.goto(new URL(path, publicUrl).href)
    return page
  }

  async function picture(page: Page, name: string) {
    if (!PICTURES) return
    mkdirSync(PICTURES, { recursive: true })
    await page.screenshot({ path: join(PICTURES, `${name}.png`) })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.screenshot({ path: join(PICTURES, `${name}-wide.png`) })
  }

  async function signUp(email: string, options = {}) {
    const page = await open('/', options)
    await page.waitForLoadState('networkidle')
    // To the end of the splash, as the browser's own animation panel can.
    await page.evaluate('for (const one of document.getAnimations()) one.finish()')
    await page.locator('#splash').waitFor({ state: 'hidden' })
    const field = page.getByRole('textbox', { name: en.label })
    await field.fill(email)
    await page.getByRole('button', { name: en.submit }).click()
    await page.getByText(en.subscribed).waitFor()
    return page
  }

  async function linkIn(email: string) {
    await expect
      .poll(() => relay.accepted.map(({ to }) => to), { timeout: 15_000 })
      .toContain(email)
    const letter = await relay.messageTo(email)
    const link = /http:\/\/127\S+\/confirm\/[\w-]+/.exec(letter.text ?? '')?.[0] ?? ''
    return link
  }

  const button = (page: Page, name = '') => page.getByRole('button', { name, exact: true })
  const yes = en.yes

  it.for([true, false])('sees who signs up confirm, with script: %s', async (script) => {
    const email = `script-${script}@example.com`
    const page = await signUp(email, { script })
    // A second, quieter line, in the page and without script.
    await expect.poll(() => page.getByRole('status').innerText()).toContain(en.letterSent)
    await picture(page, `thanks-script-${script}`)
    expect(site.subscribers()).not.toContain(email)
    const link = await linkIn(email)
    const asked = await open(link, { script })
    await picture(asked, `ask-script-${script}`)
    expect(site.subscribers()).not.toContain(email)
    await button(asked, yes).click()
    await asked.getByRole('heading', { name: en.confirmedHeading }).waitFor()
    await picture(asked, 'done')
    expect(site.subscribers()).toContain(email)
  })

  it('sees personal links on the confirmed page alone', () => {
    const built = globSync('dist/{public,pages}/**/*.{html,js,css}', { cwd: root })
    const holding = (text: string) =>
      built.filter((name) => readFileSync(join(root, name), 'utf8').includes(text))
    expect(built.length).toBeGreaterThan(10)
    for (const part of [FRIEND_SLOT, en.personalLink, 'navigator.share'])
      expect(holding(part).sort()).toEqual([
        paths.confirmPage('done'),
        paths.confirmPage('news-done'),
      ])
  })

  it('sees a program that looks at every link confirm nobody', async () => {
    const email = 'looked-at@example.com'
    await signUp(email)
    const link = await linkIn(email)
    for (let i = 0; i < 2; i++) {
      const page = await open(link)
      await page.waitForLoadState('networkidle')
      await page.context().close()
    }
    expect(site.subscribers()).not.toContain(email)
  })

  it('and turns it off again, sees whoever was asked still answer, on a page that looks as before', {
    tags: 'long',
  }, async () => {
    const email = 'late@example.com'
    await signUp(email)
    const link = await linkIn(email)
    const look = async () => {
      const page = await open(link)
      const [said, shot] = [await page.locator('body').innerText(), await page.screenshot()]
      await page.context().close()
      return { said, shot }
    }
    const before = await look()
    await site.end()
    const settings = { CONFIRM: 'off', PUBLIC_URL: publicUrl, LOG_LEVEL: 'warn' }
    expect(buildProject(root, settings)).toMatchObject({ status: 0, stderr: '' })
    site = await startSite({ root, env: settings, port: ownPort, folder })
    const after = await look()
    expect(after.said).toBe(before.said)
    expect(after.shot.equals(before.shot)).toBe(true)
    const page = await open(link)
    await picture(page, 'ask-turned-off')
    await button(page, yes).click()
    await page.getByRole('heading', { name: en.confirmedHeading }).waitFor()
    expect(site.subscribers()).toContain(email)
  })
})
