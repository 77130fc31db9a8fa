import type { Page } from '@playwright/test'
import product from '../../product.config.ts'
import { endAllSessions, makeLink } from '../../src/desk/access/sessions.ts'
import { nobodyAtTheDesk } from '../../src/store/desk-access.ts'
import type { RunningSite } from '../fixtures/running-site.ts'
import { withStore } from '../fixtures/with-store.ts'
import { axeFindings } from './accessibility.ts'
import { test as base, expect, SERVER } from './fixtures.ts'
import { longOf } from './long.ts'
import { protocolOf } from './page.ts'

/** `door` is a server whose desk knows nobody yet: no link, no session and no passkey. */
const test = base.extend<{ door: RunningSite }>({
  door: async ({ shared, context }, use) => {
    const site = await shared('door')
    await withStore(site, ({ desk }) =>
      desk.change(() => ({ result: undefined, state: nobodyAtTheDesk })),
    )
    await use(site)
    for (const page of context.pages()) await page.goto('about:blank')
  },
})
const long = longOf(test)

/** The site under a name: browsers know passkeys by no IP address. */
const named = (site: RunningSite) => site.url.replace('127.0.0.1', 'localhost')

async function linkTo(site: RunningSite) {
  const { path, secret } = await withStore(site, (store, linkKey) => makeLink(store.desk, linkKey))
  return { url: `${named(site)}/desk/${path}#${secret}`, path: `/desk/${path}`, code: secret }
}

/** Plays a device with a fingerprint. */
async function withAuthenticator(page: Page) {
  const session = await protocolOf(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** A browser that is in, with a passkey of its own. */
async function withPasskey(site: RunningSite, page: Page) {
  await withAuthenticator(page)
  const { url } = await linkTo(site)
  await page.goto(url)
  await page.getByRole('button', { name: 'Open the desk' }).click()
  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByRole('button', { name: 'Add a passkey to this device' }).click()
  await expect(page.getByRole('status')).toContainText('This device has a passkey now')
}

/** Ends every session. A page of the desk that is still open would ask in vain, so it is left first. */
async function endSessions(site: RunningSite, page: Page) {
  await page.goto('about:blank')
  await withStore(site, ({ desk }) => endAllSessions(desk))
}

const desk = (site: RunningSite) => `${named(site)}/desk`

test.describe('the way in', SERVER, () => {
  test('a link opens the desk with a button, and leaves nothing in the address bar', async ({
    door,
    page,
    context,
  }) => {
    const { url, path, code } = await linkTo(door)
    const sent: string[] = []
    // What a proxy may log.
    page.on('request', (one) => {
      sent.push(one.url().split('#')[0] ?? '', one.headers().referer ?? '')
    })
    await page.goto(url)
    await expect(page.getByRole('heading', { name: product.name })).toBeVisible()
    expect(page.url()).toBe(named(door) + path)
    await expect(page.getByLabel('Code')).toHaveCount(0)
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    // Nothing was burnt by opening it, or by opening it again.
    for (const again of ['about:blank', url, url]) await page.goto(again)
    await expect(page).toHaveURL(named(door) + path)
    await page.getByRole('button', { name: 'Open the desk' }).click()
    await expect(page).toHaveURL(`${named(door)}/desk`)
    await expect(page.getByRole('link', { name: 'Access' })).toBeVisible()
    const [cookie] = await context.cookies()
    expect(cookie?.name).toMatch(/^desk-[\w-]{8}$/)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(sent.join(' ')).not.toContain(code)
    // Whoever goes back finds no code.
    await page.goBack()
    await expect(page).toHaveURL(`${named(door)}/desk`)
    expect(await page.content()).not.toContain(code)
  })
})

test.describe('what is shown on the way in', SERVER, () => {
  long(
    'is clean for who cannot see it, fits 320 px, and wants nothing but a keyboard',
    async ({ door, page, browserConsole }) => {
      browserConsole.expect(/410|403/)
      await page.setViewportSize({ width: 320, height: 640 })
      const isClean = async () => {
        expect(await axeFindings(page)).toEqual([])
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(wide).toBeLessThanOrEqual(320)
      }
      await withPasskey(door, page)
      await isClean()
      await endSessions(door, page)
      await page.goto(desk(door))
      await isClean()
      const fresh = await linkTo(door)
      await page.goto(fresh.url)
      await isClean()
      await page.goto(`${named(door)}${fresh.path}`)
      await page.getByLabel('Code').fill('wrong')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('status')).toContainText('not the code')
      await isClean()
      await page.getByLabel('Code').fill(fresh.code)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(desk(door))
      // A page of the desk that is still open would ask in vain once it is out.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto(`${named(door)}${fresh.path}`)
      await expect(page.getByRole('status')).toContainText('This link was used')
      await isClean()
    },
  )
})

test.describe('a passkey', SERVER, () => {
  test('brings its device back without a link, until it is removed', async ({
    door,
    page,
    browserConsole,
  }) => {
    await withPasskey(door, page)
    await endSessions(door, page)

    await page.goto(desk(door))
    await page.getByRole('button', { name: 'Sign in with your passkey' }).click()
    await expect(page.getByRole('link', { name: 'Access' })).toBeVisible()
    await page.getByRole('link', { name: 'Access' }).click()
    await expect(page.getByText('opened by a passkey')).toBeVisible()

    // Its session ends with it, and there is no page to sign in any more.
    await page.getByRole('button', { name: /^Remove / }).click()
    browserConsole.expect(/404/)
    expect((await page.goto(desk(door)))?.status()).toBe(404)
  })
})
