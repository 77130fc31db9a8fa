import { type EmailCase, emailCases, mappedByChromium } from '../shared/email-cases.ts'
import { expect, long, SAME, SERVER, test } from './fixtures.ts'
import {
  emailIn,
  FAILED,
  INVALID,
  openConnectedPage,
  postsTo,
  SUBSCRIBE,
  signUp,
  THANK_YOU,
} from './page.ts'

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

long(
  'the page sends each valid address normalised, and never an invalid one',
  SAME,
  async ({ page, site, browserConsole }) => {
    test.slow()
    browserConsole.expect(/Failed to load resource.*500/)
    // A failed write leaves the form editable, so that one page can try them all.
    await page.route(SUBSCRIBE, (route) => route.fulfill({ status: 500, json: {} }))
    await openConnectedPage(page, site.url)
    const { email, status } = signUp(page)
    const posts = postsTo(page, SUBSCRIBE)

    for (const { input, email: expected, why } of emailCases.filter(canBeTyped)) {
      posts.length = 0
      await email.fill(input)
      await email.press('Enter')
      await expect(status, why).toHaveText(expected === undefined ? INVALID : FAILED)
      const sent = posts.map(emailIn)
      expect(sent, why).toEqual(expected === undefined ? [] : [expected])
    }
  },
)

/**
 * A field for one line holds no line break, and no text half a character; one for an address drops
 * the space around it, so that no address is refused for that.
 */
function canBeTyped({ input, email }: EmailCase) {
  const typed = input.trim()
  const refusedForSpace = email === undefined && typed !== input && typed !== ''
  if (mappedByChromium.includes(input)) return false
  return input.isWellFormed() && !/[\r\n]/.test(typed) && !refusedForSpace
}
