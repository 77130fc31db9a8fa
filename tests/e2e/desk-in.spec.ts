import product from '../../product.config.ts'
import { makeLink } from '../../src/desk/access/sessions.ts'
import { nobodyAtTheDesk } from '../../src/store/desk-access.ts'
import type { RunningSite } from '../fixtures/running-site.ts'
import { withStore } from '../fixtures/with-store.ts'
import { axeFindings } from './accessibility.ts'
import { test as base, expect, SERVER } from './fixtures.ts'
import { longOf } from './long.ts'

/** `door` is a server whose desk knows nobody yet: no link and no session. */
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

async function linkTo(site: RunningSite) {
  const { path, secret } = await withStore(site, (store, linkKey) => makeLink(store.desk, linkKey))
  return { url: `${site.url}/desk/${path}#${secret}`, path: `/desk/${path}`, code: secret }
}

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
    expect(page.url()).toBe(door.url + path)
    await expect(page.getByLabel('Code')).toHaveCount(0)
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    // Nothing was burnt by opening it, or by opening it again.
    for (const again of ['about:blank', url, url]) await page.goto(again)
    await expect(page).toHaveURL(door.url + path)
    await page.getByRole('button', { name: 'Open the desk' }).click()
    await expect(page).toHaveURL(`${door.url}/desk`)
    await expect(page.getByRole('link', { name: 'Access' })).toBeVisible()
    const [cookie] = await context.cookies()
    expect(cookie?.name).toMatch(/^desk-[\w-]{8}$/)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(sent.join(' ')).not.toContain(code)
    // Whoever goes back finds no code.
    await page.goBack()
    await expect(page).toHaveURL(`${door.url}/desk`)
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
      const fresh = await linkTo(door)
      await page.goto(fresh.url)
      await isClean()
      await page.goto(`${door.url}${fresh.path}`)
      await page.getByLabel('Code').fill('wrong')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('status')).toContainText('not the code')
      await isClean()
      await page.getByLabel('Code').fill(fresh.code)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(`${door.url}/desk`)
      await page.getByRole('link', { name: 'Access' }).click()
      await isClean()
      // A page of the desk that is still open would ask in vain once it is out.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto(`${door.url}${fresh.path}`)
      await expect(page.getByRole('status')).toContainText('This link was used')
      await isClean()
    },
  )
})
