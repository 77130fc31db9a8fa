import product from '../../product.config.ts'
import { FIELD_FRAGMENT, paths } from '../../src/shared/api.ts'
import { expect, SAME, SERVER, test } from './fixtures.ts'
import {
  FAILED,
  INVALID,
  openConnectedPage,
  openPage,
  openPageWithoutScript,
  postsTo,
  SUBSCRIBE,
  signUp,
  THANK_YOU,
} from './page.ts'

test.describe('the form', () => {
  test('waits, empty, with its label, example address and button', async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, button, status } = signUp(page)

    await expect(page.getByRole('heading', { level: 1, name: 'Coming Soon' })).toBeVisible()
    const pitch = page.getByText(product.pitch)
    await expect(pitch).toBeVisible()
    await expect(page.getByRole('img', { name: product.name })).toBeVisible()
    await expect(page.getByText('Be the first to know when we go live')).toBeVisible()
    await expect(email).toBeEditable()
    await expect(email).toHaveValue('')
    await expect(email).toHaveAttribute('placeholder', product.emailPlaceholder)
    await expect(email).toHaveAttribute('type', 'email')
    await expect(email).toHaveAttribute('inputmode', 'email')
    await expect(email).toHaveAttribute('autocomplete', 'email')
    await expect(button).toHaveText('Notify Me')
    await expect(button).toBeEnabled()
    await expect(status).toBeEmpty()
  })

  test('shows a mail icon inside the field', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    const { form, email } = signUp(page)
    const icon = await form.locator('svg').boundingBox()
    const field = await email.boundingBox()
    if (!icon || !field) throw new Error('the icon or the field is not there')
    expect(icon.width).toBeGreaterThan(10)
    expect(icon.x).toBeGreaterThan(field.x)
    expect(icon.y).toBeGreaterThan(field.y)
    expect(icon.y + icon.height).toBeLessThan(field.y + field.height)
  })

  test('is blocked and says "Submitting..." while the server works', async ({ page, ownSite }) => {
    await openConnectedPage(page, ownSite.url)
    const { email, button, status, submit } = signUp(page)
    await ownSite.pause()
    await submit('patient@example.com')

    await expect(button).toHaveText('Submitting...')
    // An answer that comes at once makes nothing flash, and one that does not is waited for.
    const turning = () => button.evaluate((one) => getComputedStyle(one, '::before').visibility)
    await expect(button).toHaveCSS('transition-delay', /^0\.2s/)
    await expect.poll(turning).toBe('visible')
    await expect(button).toBeDisabled()
    await expect(email).toBeDisabled()
    await expect(email).toHaveValue('patient@example.com')
    await expect(status).toBeEmpty()

    ownSite.resume()
    await expect(status).toHaveText(THANK_YOU)
    expect(await ownSite.subscribers()).toEqual(['patient@example.com'])
  })

  test('thanks, is cleared and takes nothing more after a success', async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, button, status, submit } = signUp(page)
    await submit('glad@example.com')

    await expect(status).toHaveText(THANK_YOU)
    await expect(email).toHaveValue('')
    await expect(email).toBeDisabled()
    await expect(button).toBeDisabled()
    await expect(button).toHaveText('Notify Me')
    await expect(page).toHaveURL(`${site.url}/`)
    expect(await site.subscribers()).toContain('glad@example.com')
  })

  test('breaks the thanks between two sentences where they do not fit into one line', async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 320, height: 568 })
    await openPage(page, site.url)
    const { status, submit } = signUp(page)
    await submit('narrow@example.com')
    await expect(status).toHaveText(THANK_YOU)
    const [thanks, promise] = await status
      .locator('.sentence')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    expect(promise.top).toBeGreaterThanOrEqual(thanks.bottom)
    expect(promise.height).toBeCloseTo(thanks.height, 1)
  })

  test(
    'leaves its place to the thank-you, which is all that is seen and pressed there, in forced colours too',
    SAME,
    async ({ page, site }) => {
      for (const forcedColors of ['none', 'active'] as const) {
        await page.emulateMedia({ forcedColors })
        await openPage(page, site.url)
        const { form, email, button, status, submit } = signUp(page)
        const row = form.locator('.subscribe-row')
        const before = await row.boundingBox()
        await submit('gone@example.com')
        const thanks = status.getByText(THANK_YOU)
        await expect(thanks).toBeVisible()
        await expect(row).toHaveCSS('opacity', '0')
        const { y = 0, height = 0 } = (await thanks.boundingBox()) ?? {}
        expect(y + height, forcedColors).toBeLessThan((before?.y ?? 0) + (before?.height ?? 0))
        expect(height, 'its size').toBeGreaterThan(28)

        // In the document, in their order, and out of the way.
        const [field, submitButton] = [await email.elementHandle(), await button.elementHandle()]
        await expect(email).toBeDisabled()
        await expect(button).toBeDisabled()
        expect(
          await status.evaluate(
            (status, fields) => {
              const boxes = fields.map((one) => (one as Element).getBoundingClientRect())
              const pressed = boxes.map(({ x, y, width, height }) =>
                document.elementFromPoint(x + width / 2, y + height / 2),
              )
              const all = [
                ...(status.closest('form')?.querySelectorAll('#email, button, #status') ?? []),
              ]
              return {
                order: all.map(({ tagName }) => tagName),
                pressed: fields.some((one) => pressed.includes(one as Element)),
              }
            },
            [field, submitButton],
          ),
        ).toEqual({ order: ['INPUT', 'BUTTON', 'P'], pressed: false })
      }
    },
  )

  test(
    'a message is brought into view where the page is enlarged',
    SAME,
    async ({ page, site }) => {
      await page.setViewportSize({ width: 640, height: 400 })
      await openPage(page, site.url)
      const { status, submit } = signUp(page)
      await submit('nobody')
      await expect(status).toBeInViewport({ ratio: 0.98 })
    },
  )

  test(
    'what is pressed gives, what is pointed at is seen, and the scene answers the focus once',
    SAME,
    async ({ page, site }) => {
      await openPage(page, site.url)
      const { email, button } = signUp(page)
      const colour = () => button.evaluate((one) => getComputedStyle(one).backgroundColor)
      const before = await colour()
      await button.hover()
      await expect.poll(colour).not.toBe(before)
      await page.mouse.down()
      await expect(button).toHaveCSS('scale', '0.98')
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expect(button).toHaveCSS('scale', 'none')
      await expect(button).toHaveCSS('opacity', '0.8')
      await page.emulateMedia({ reducedMotion: null })
      await page.mouse.move(0, 0)
      await page.mouse.up()
      await expect(button).toHaveCSS('scale', 'none')

      const grown = () =>
        page.locator('.backdrop i').evaluate((one) => getComputedStyle(one, '::before').scale)
      await button.blur()
      await expect.poll(grown).toBe('1 0')
      await email.focus()
      await expect.poll(grown).toBe('1 0.12')
      const running = () => page.evaluate(() => document.getAnimations().length)
      await expect.poll(running).toBe(0)
    },
  )

  test('waits again, empty, when the page is loaded again', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, status, submit } = signUp(page)
    await submit('again@example.com')
    await expect(status).toHaveText(THANK_YOU)

    await openPage(page, site.url)
    await expect(email).toBeEditable()
    await expect(status).toBeEmpty()
  })

  test('asks for a valid address, stays editable and sends nothing', async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, button, status, submit } = signUp(page)
    const posts = postsTo(page, SUBSCRIBE)
    await submit('me@localhost')

    await expect(status).toHaveText(INVALID)
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(email).toHaveAccessibleDescription(INVALID)
    await expect(email).toHaveValue('me@localhost')
    await expect(email).toBeEditable()
    await expect(button).toBeEnabled()
    await expect(button).toHaveText('Notify Me')
    expect(posts).toEqual([])
  })

  test('keeps its message until the next submit', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, button, status, submit } = signUp(page)
    await submit('corrected')
    await expect(status).toHaveText(INVALID)
    await email.pressSequentially('@example.com')
    await expect(status).toHaveText(INVALID)

    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    expect(await site.subscribers()).toContain('corrected@example.com')
  })

  test(
    'says the same message afresh when the same mistake comes again',
    SAME,
    async ({ page, site }) => {
      await openPage(page, site.url)
      const { button, status, submit } = signUp(page)
      await submit('nobody')
      const message = await status.getByText(INVALID).elementHandle()
      await button.click()
      await expect.poll(() => message?.evaluate((element) => element.isConnected)).toBe(false)
      await expect(status).toHaveText(INVALID)
    },
  )

  test(
    'has the focus in its field again after an error, however it was sent',
    SAME,
    async ({ page, ownSite, browserConsole }) => {
      await openConnectedPage(page, ownSite.url)
      const { email, button, status } = signUp(page)
      await email.fill('nobody')
      await button.click()
      await expect(status).toHaveText(INVALID)
      await expect(email).toBeFocused()

      browserConsole.expect(/Failed to load resource/)
      browserConsole.expect(/Not connected/)
      await ownSite.kill()
      await email.fill('somebody@example.com')
      await page.keyboard.press('Enter')
      await expect(status).toHaveText(FAILED)
      await expect(email).toBeFocused()
    },
  )

  test('takes the focus from nobody when it did not have it', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    const { form, email, status } = signUp(page)
    await email.fill('nobody')
    await email.blur()
    await form.evaluate((element: HTMLFormElement) => element.requestSubmit())
    await expect(status).toHaveText(INVALID)
    await expect(email).not.toBeFocused()
  })

  test('is sent once by a double click', async ({ page, ownSite }) => {
    await openConnectedPage(page, ownSite.url)
    const { email, button, status } = signUp(page)
    const posts = postsTo(page, SUBSCRIBE)
    await email.fill('twice@example.com')
    await button.dblclick()
    await expect(status).toHaveText(THANK_YOU)
    expect(posts).toHaveLength(1)
    expect(await ownSite.subscribers()).toEqual(['twice@example.com'])
  })

  test('is sent once by Enter pressed twice', SAME, async ({ page, ownSite }) => {
    await openConnectedPage(page, ownSite.url)
    const { email, status } = signUp(page)
    const posts = postsTo(page, SUBSCRIBE)
    await ownSite.pause()
    await email.fill('enter@example.com')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    ownSite.resume()
    await expect(status).toHaveText(THANK_YOU)
    expect(posts).toHaveLength(1)
  })

  test('works with the keyboard alone', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, button, status } = signUp(page)
    await page.keyboard.press('Tab')
    await expect(email).toBeFocused()
    await page.keyboard.type('keys')
    await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await page.keyboard.press('Space')
    await expect(status).toHaveText(INVALID)
    await expect(email).toBeFocused()

    await page.keyboard.press('End')
    await page.keyboard.type('@example.com')
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(THANK_YOU)
    expect(await site.subscribers()).toContain('keys@example.com')
  })

  test('shows where the focus is', SAME, async ({ page, site }) => {
    await openPage(page, site.url)
    const { email, button } = signUp(page)
    for (const control of [email, button]) {
      await page.keyboard.press('Tab')
      await expect(control).toBeFocused()
      await expect(control).toHaveCSS('outline-style', 'solid')
      await expect(control).toHaveCSS('outline-width', '2px')
    }
  })
})

test.describe('the form, without script', SERVER, () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 400 } })

  test('is brought into view with what was wrong', async ({ page, site, browserConsole }) => {
    browserConsole.expect(/Failed to load resource.*422/)
    await openPageWithoutScript(page, site.url)
    const { email, status, submit } = signUp(page)
    await submit('nobody')
    await expect(status).toHaveText(INVALID)
    await expect(email).toBeFocused()
    for (const part of [email, status.locator('span').first()])
      await expect(part).toBeInViewport({ ratio: 1 })

    // Passed on: the page as it is for everybody, with its heading where all of it has room.
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('about:blank')
    await page.goto(site.url + paths.subscribe + FIELD_FRAGMENT)
    await expect(page).toHaveURL(`${site.url}/${FIELD_FRAGMENT}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
    await expect(status).toHaveText('')
  })
})
