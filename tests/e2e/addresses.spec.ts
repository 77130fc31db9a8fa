import { expect, SAME, SERVER, test } from './fixtures.ts'
import { INVALID, openConnectedPage, signUp, THANK_YOU } from './page.ts'

for (const [typed, kept] of [
  ['around.signs@gmail.com”', 'around.signs@gmail.com'],
  ['Ada <around.name@gmail.com>', 'around.name@gmail.com'],
] as const)
  test(`what stands around an address is not kept: ${typed}`, SAME, async ({ page, site }) => {
    await openConnectedPage(page, site.url)
    const { status, submit } = signUp(page)
    await submit(typed)
    await expect(status).toHaveText(THANK_YOU)
    const theirs = (await site.subscribers()).filter((email) => email.startsWith('around.'))
    expect(theirs).toContain(kept)
    expect(theirs.join()).not.toContain('xn--')
  })

test(
  'an address that the page cannot judge is judged by who is written to',
  SERVER,
  async ({ page, site, browserConsole }) => {
    browserConsole.expect(/Failed to load resource/)
    await page.route('**/assets/email-rule-*', (route) => route.abort())
    await openConnectedPage(page, site.url)
    const { status, submit } = signUp(page)
    await submit('nobody')
    await expect(status).toHaveText(INVALID)
    await submit('“unjudged@example.com”')
    await expect(status).toHaveText(THANK_YOU)
    expect(await site.subscribers()).toContain('unjudged@example.com')
  },
)
