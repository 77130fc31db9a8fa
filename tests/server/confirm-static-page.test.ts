/** @module-tag long */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { CHROMIUM_ARGS } from '../../scripts/chromium/find-chromium.ts'
import { obtainChromium } from '../../scripts/chromium/obtain-chromium.ts'
import { confirmationRequestsPath, subscribersPath } from '../../src/shared/subscriber.ts'
import { en } from '../../src/words/en.ts'
import { playGoogle } from '../e2e/google.ts'
import { installAuthEmulator } from '../emulators/auth-emulator.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { startHosting } from '../emulators/hosting.ts'
import { withAuthEmulator, withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { type Relay, startRelay } from '../fixtures/relay.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'

/** Where pictures go, for looking: set it by hand. */
const PICTURES = process.env.CONFIRM_PICTURES
const projectId = 'demo-static'

describe('a founder whose page is on a static host, and who turns confirmation on', () => {
  const firestore = withFirestoreEmulator()
  const auth = withAuthEmulator(projectId)
  const port = 20_000 + ((process.pid + 7) % 20_000)
  const serverUrl = `http://127.0.0.1:${port}`
  let browser: Browser
  let relay: Relay
  let server: RunningSite
  let hosting: Awaited<ReturnType<typeof startHosting>>
  let root: string | undefined

  beforeAll(async () => {
    // Its tests are skipped.
    if (!firestore()) return
    const found = await obtainChromium()
    if ('error' in found) throw new Error(found.error)
    browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })
    relay = await startRelay()
    root = mkdtempSync(join(tmpdir(), 'opening-bell-'))
    copyProject(root, product)
    const settings = {
      CONFIRM: 'on',
      PUBLIC_URL: serverUrl,
      SMTP_URL: relay.url,
      LOG_LEVEL: 'warn',
      MAIL_FROM: 'Meridian <hello@example.com>',
    }
    expect(buildProject(root, settings)).toMatchObject({ status: 0, stderr: '' })
    const web = JSON.stringify({ apiKey: 'not-a-secret', projectId })
    const env = { CONFIRM: 'on', FIREBASE_WEBAPP_CONFIG: web }
    expect(buildProject(root, env, 'build-firebase')).toMatchObject({ status: 0, stderr: '' })
    await installAuthEmulator()
    hosting = await startHosting(join(root, 'dist-firebase'))
    const rest = firestoreRest(firestore().origin, projectId)
    await rest.setRules(readFileSync(join(root, 'dist-firebase/firestore.rules'), 'utf8'))
    const inbox = {
      GOOGLE_CLOUD_PROJECT: projectId,
      FIRESTORE_EMULATOR_HOST: new URL(firestore().origin).host,
    }
    server = await startSite({ root, env: { ...settings, ...inbox }, port: String(port) })
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await hosting?.stop()
    await relay?.close()
    if (root) rmSync(root, { recursive: true, force: true })
  })

  async function picture(page: Page, name: string) {
    if (!PICTURES) return
    mkdirSync(PICTURES, { recursive: true })
    await page.screenshot({ path: join(PICTURES, `${name}.png`) })
  }

  it('sees a visitor thanked with a second line, asked within a minute, and on the list when they say yes', async () => {
    const email = 'ada@example.com'
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 760 },
    })
    const emulators = { auth: auth().origin, firestore: firestore().origin }
    await playGoogle(context, () => emulators)
    const page = await context.newPage()
    await page.goto(hosting.url)
    await page.evaluate('for (const one of document.getAnimations()) one.finish()')
    await page.locator('#splash').waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: en.label }).fill(email)
    await page.getByRole('button', { name: en.submit }).click()
    await page.getByText(en.subscribed).waitFor()
    await expect.poll(() => page.getByRole('status').innerText()).toContain(en.letterSent)
    await picture(page, 'static-thanks')

    const rest = firestoreRest(firestore().origin, projectId)
    const at = (path: typeof subscribersPath) => rest.list(path(product.appId).slice(1))
    expect(await at(subscribersPath)).toEqual([])
    await expect
      .poll(() => relay.accepted.map(({ to }) => to), { timeout: 60_000 })
      .toEqual([email])
    const letter = await relay.messageTo(email)
    const link = /http:\/\/127\S+\/confirm\/[\w-]+/.exec(letter.text ?? '')?.[0] ?? ''
    expect(await at(subscribersPath)).toEqual([])
    expect((await at(confirmationRequestsPath)).map(({ fields }) => fields ?? {})).toEqual([{}])

    await page.goto(link)
    await page.getByRole('button', { name: en.yes }).click()
    await page.getByRole('heading', { name: en.confirmedHeading }).waitFor()
    expect(await server.subscribers()).toEqual([email])
    expect(await at(subscribersPath)).toEqual([])
    await context.close()
  }, 120_000)
})
