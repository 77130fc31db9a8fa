import type { Page } from '@playwright/test'
import { FIELD_FRAGMENT, paths } from '../../src/shared/api.ts'
import { turnPage } from '../fixtures/turn-page.ts'
import { expect, long, SERVER, test } from './fixtures.ts'
import { intruders, mixedContent } from './intruders.ts'
import {
  holdBack,
  INVALID,
  openConnectedPage,
  openPageWithoutScript,
  PAGE_SCRIPT,
  SIGN_IN,
  SUBSCRIBE,
  THANK_YOU,
} from './page.ts'

/** The form, found by what nobody translates. */
function formOf(page: Page) {
  const form = page.locator('form.subscribe')
  return {
    form,
    email: form.locator('#email'),
    button: form.locator('[type="submit"]:not([data-intruder])'),
    status: form.getByRole('status'),
  }
}

/** Translated or indented. */
const inAnyCase = (text: string) => new RegExp(`^\\s*${text}\\s*$`, 'i')

/** Types an address, and selects its first word. */
async function typeAndSelect(page: Page, address: string) {
  await formOf(page).email.focus()
  await page.keyboard.type(address)
  await page.keyboard.press('Home')
  for (const _ of 'early') await page.keyboard.press('Shift+ArrowRight')
}

for (const [who, intrude] of Object.entries(intruders)) {
  const further = who === 'a password manager' ? test : long

  /** What is typed stays, and is sent, though somebody came between page and script. */
  async function keepsAll(page: Page, address: string, takeOver: () => Promise<void>) {
    const { email, status, form } = formOf(page)
    expect(await page.evaluate(mixedContent)).toEqual([])
    await typeAndSelect(page, address)
    const typedIn = await email.elementHandle()
    await page.evaluate(intrude)
    const before = await page.evaluate(() => document.querySelectorAll('[data-intruder]').length)
    await takeOver()
    expect(await typedIn?.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.type('late')
    await expect(email).toHaveValue(address.replace('early', 'late'))
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(inAnyCase(THANK_YOU))
    await expect(form).toHaveAttribute('data-status', 'success')
    await expect(email).toHaveValue('')
    expect(await page.locator('[data-intruder]').count()).toBe(before)
  }

  test.describe(`${who} before a late script`, () => {
    test('takes nothing from who types', async ({ page, site }) => {
      const release = await holdBack(page, PAGE_SCRIPT)
      await openPageWithoutScript(page, site.url)
      await keepsAll(page, 'early.bird@example.com', async () => {
        const connected = page.waitForResponse(SIGN_IN)
        release()
        await connected
      })
      await expect(page).toHaveURL(`${site.url}/`)
      expect(await site.subscribers()).toContain('late.bird@example.com')
    })

    further(
      'nor from who puts an address right',
      SERVER,
      async ({ page, site, browserConsole }) => {
        browserConsole.expect(/Failed to load resource.*422/)
        const release = await holdBack(page, PAGE_SCRIPT)
        await openPageWithoutScript(page, site.url)
        const { email, button, status } = formOf(page)
        await email.fill('nobody')
        await button.click()
        await expect(page).toHaveURL(site.url + paths.subscribe + FIELD_FRAGMENT)
        await expect(status).toHaveText(INVALID)
        await email.fill('')
        await keepsAll(page, 'early.error@example.com', async () => {
          const connected = page.waitForResponse(SIGN_IN)
          release()
          await connected
          await expect(status).toHaveText(inAnyCase(INVALID))
        })
        expect(await site.subscribers()).toContain('late.error@example.com')
      },
    )

    further('nor from who reads that it is open', SERVER, async ({ page, shared }) => {
      const open = await shared('open', async (site) => {
        await turnPage(site, 'https://app.example.com/')
      })
      const release = await holdBack(page, PAGE_SCRIPT)
      await openPageWithoutScript(page, open.url)
      const address = `early.${who.length}@example.com`
      await keepsAll(page, address, async () => {
        const connected = page.waitForResponse(SIGN_IN)
        release()
        await connected
      })
      expect(open.subscribers()).toContain(address.replace('early', 'late'))
    })
  })

  test(`${who} after the script leaves the form as it is, in every state`, async ({
    page,
    site,
  }) => {
    await openConnectedPage(page, site.url)
    const { email, button, status, form } = formOf(page)
    await typeAndSelect(page, 'early.riser@gmial.com')
    await page.evaluate(intrude)
    await page.keyboard.type('late')
    const address = `late.${who.length}@gmail.com`
    await status.getByRole('button').click()
    await expect(email).toHaveValue('late.riser@gmail.com')
    await email.fill('nobody')
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(inAnyCase(INVALID))
    await email.fill(address)
    const release = await holdBack(page, SUBSCRIBE)
    await button.click()
    await expect(button).toHaveText(inAnyCase('Submitting...'))
    release()
    await expect(status).toHaveText(inAnyCase(THANK_YOU))
    await expect(form).toHaveAttribute('data-status', 'success')
    await expect(button).toHaveText(inAnyCase('Notify Me'))
    expect(await site.subscribers()).toContain(address)
  })
}

test('a field whose type another changed stays, with what was typed', async ({ page, site }) => {
  const release = await holdBack(page, PAGE_SCRIPT)
  await openPageWithoutScript(page, site.url)
  const { email, status } = formOf(page)
  await email.focus()
  await page.keyboard.type('other.type@example.com')
  await email.evaluate((field) => field.setAttribute('type', 'text'))
  const connected = page.waitForResponse(SIGN_IN)
  release()
  await connected
  await page.keyboard.press('Enter')
  await expect(status).toHaveText(THANK_YOU)
  expect(await site.subscribers()).toContain('other.type@example.com')
})

test('what a translator has said stays said', async ({ page, site }) => {
  const release = await holdBack(page, PAGE_SCRIPT)
  await openPageWithoutScript(page, site.url)
  await page.evaluate(() => {
    const heading = document.querySelector('h1') as HTMLElement
    heading.innerHTML = '<font><font>Bald</font></font>'
  })
  const connected = page.waitForResponse(SIGN_IN)
  release()
  await connected
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bald')
})
