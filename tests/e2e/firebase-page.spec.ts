import type { APIRequestContext } from '@playwright/test'
import product from '../../product.config.ts'
import { readOut } from './accessibility.ts'
import { expect, long, test } from './fixtures.ts'
import { holdBack, openPageWithoutScript, PAGE_SCRIPT, signUp, THANK_YOU } from './page.ts'

const NEEDS_SCRIPT = 'Signing up needs JavaScript. Please turn it on and load this page again.'

test.describe('on a static host', () => {
  test('every file comes with the headers and the lifetime that our own server gives it', async ({
    request,
    site,
    ownServer,
  }) => {
    for (const path of ['/', '/index.html', '/robots.txt', '/favicon.ico', `/${product.logo}`]) {
      const { policy, ...headers } = await promises(request, site.url + path)
      const { policy: ownPolicy, ...ownHeaders } = await promises(request, ownServer.url + path)
      expect(headers, path).toEqual(ownHeaders)
      const google = ['identitytoolkit', 'securetoken', 'firestore']
        .map((name) => `https://${name}.googleapis.com`)
        .join(' ')
      const allowed = ownPolicy
        .replace("connect-src 'self'", `connect-src 'self' ${google}`)
        .replace("form-action 'self'", "form-action 'none'")
        // One policy for all of its pages; our server has one for each kind.
        .replace("style-src 'self' 'sha256'", "style-src 'self' 'sha256' 'sha256'")
      expect(policy, path).toBe(allowed)
    }
    expect((await promises(request, `${site.url}/config.json`))['cache-control']).toBe('no-cache')
    const page = await (await request.get(site.url)).text()
    const script = /href="(\/assets\/[^"]+)"/.exec(page)?.[1]
    const headers = await promises(request, site.url + script)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('a path that leads nowhere is a page with a way home', async ({
    page,
    site,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource.*404/)
    const answer = await page.goto(`${site.url}/start`)
    expect(answer?.status()).toBe(404)
    await page.getByRole('link', { name: 'Go to our page' }).click()
    await expect(page).toHaveURL(`${site.url}/`)
  })

  long(
    'the button waits for the script, and what was typed is still there then',
    async ({ page, site }) => {
      const release = await holdBack(page, PAGE_SCRIPT)
      await openPageWithoutScript(page, site.url)
      const { button, email, status } = signUp(page)
      await email.fill('early@example.com')
      await expect(button).toBeDisabled()
      await email.press('Enter')
      expect(page.url()).toBe(`${site.url}/`)
      release()
      await expect(button).toBeEnabled()
      await email.press('Enter')
      await expect(status).toHaveText(THANK_YOU)
      expect(await site.subscribers()).toContain('early@example.com')
    },
  )

  test('a script that is blocked or lost is said where the thank-you would be', async ({
    page,
    site,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource/)
    await page.route(PAGE_SCRIPT, (route) => route.abort())
    await openPageWithoutScript(page, site.url)
    const { button, status } = signUp(page)
    await expect(status).toHaveText(NEEDS_SCRIPT)
    await expect(button).toBeDisabled()
  })

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false })

    test('the page says that signing up needs it, and nothing typed gets into a URL', async ({
      page,
      site,
    }) => {
      await openPageWithoutScript(page, site.url)
      const { form, button, email } = signUp(page)
      expect(await readOut(page)).toContain(`StaticText ${NEEDS_SCRIPT}`)
      await expect(form.locator('noscript')).toBeInViewport({ ratio: 1 })
      await expect(button).toBeDisabled()
      await email.fill('typed@example.com')
      await email.press('Enter')
      // What an extension or a password manager might do.
      await form.evaluate((form: HTMLFormElement) => {
        form.requestSubmit()
        form.submit()
      })
      await expect(email).toHaveValue('typed@example.com')
      expect(page.url()).toBe(`${site.url}/`)
    })
  })
})

/** What an answer promises by its headers; not what belongs to one answer or one connection. */
async function promises(request: APIRequestContext, url: string) {
  const headers = (await request.head(url)).headers()
  const names = Object.keys(headers).filter((name) =>
    /^(cache-control|cross-origin-|origin-agent|permissions-|referrer-|x-)/.test(name),
  )
  const policy = headers['content-security-policy'] ?? ''
  return {
    ...Object.fromEntries(names.map((name) => [name, headers[name]])),
    // The two builds differ in what stands inline.
    policy: policy.replace(/'sha256-[^']+'/g, "'sha256'"),
  } as Record<string, string> & { policy: string }
}
