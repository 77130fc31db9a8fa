import { type EmailCase, emailCases } from '../shared/email-cases.ts'
import { expect, long, SAME, test } from './fixtures.ts'
import { emailIn, FAILED, INVALID, openConnectedPage, postsTo, SUBSCRIBE, signUp } from './page.ts'

long(
  'the page sends each valid address normalised, and never an invalid one',
  SAME,
  async ({ page, site, browserConsole }) => {
    test.slow()
    browserConsole.expect(/Failed to load resource.*500/)
    // A failed write leaves the form editable, so that one page can try them all.
    await page.route(SUBSCRIBE, (route) => route.fulfill({ status: 500 }))
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
  return input.isWellFormed() && !/[\r\n]/.test(typed) && !refusedForSpace
}
