import product from '../../product.config.ts'
import { paths } from '../../src/shared/api.ts'
import { expect, test } from './fixtures.ts'
import { GOOGLE } from './google.ts'
import { FAILED, NO_DATABASE, openPage, signUp, THANK_YOU } from './page.ts'

test.describe('on Firebase', () => {
  test('rules that are missing or wrong are never thanked for', async ({
    page,
    ownFirebase,
    browserConsole,
  }) => {
    await ownFirebase.denyEverything()
    browserConsole.expect(/Failed to load resource.*403/)
    browserConsole.expect(/^Not subscribed: 403 PERMISSION_DENIED$/)
    await openPage(page, ownFirebase.url)
    const { email, button, status, submit } = signUp(page)
    await submit('denied@example.com')
    await expect(status).toHaveText(FAILED)
    await expect(email).toHaveValue('denied@example.com')
    await expect(email).toBeEditable()
    await expect(button).toBeEnabled()
    expect(await ownFirebase.records()).toEqual([])
    expect(browserConsole.lines.join()).not.toContain('denied@')
  })

  test('a network that blocks Google gets "could not subscribe", and the address when it no longer does', async ({
    page,
    ownFirebase,
    browserConsole,
  }) => {
    browserConsole.expect(/Failed to load resource.*ERR_BLOCKED_BY_CLIENT/)
    browserConsole.expect(/Not connected/)
    await page.route(GOOGLE, (route) => route.abort('blockedbyclient'))
    await openPage(page, ownFirebase.url)
    const { button, email, status, submit } = signUp(page)
    await submit('blocked@example.com')
    await expect(status).toHaveText(FAILED)
    await expect(email).toHaveValue('blocked@example.com')
    expect(browserConsole.lines.join()).not.toContain('blocked@')

    await page.unroute(GOOGLE)
    await button.click()
    await expect(status).toHaveText(THANK_YOU)
    expect(await ownFirebase.subscribers()).toEqual(['blocked@example.com'])
  })

  for (const [what, firebase] of [
    ['none', undefined],
    ['an empty one', {}],
    ['one without a key', { projectId: 'demo-launch' }],
    ['one without a project', { apiKey: 'not-a-secret' }],
  ] as const) {
    test(`a configuration of Firebase that is wrong (${what}) is logged, and no database is connected`, async ({
      page,
      site,
      browserConsole,
    }) => {
      browserConsole.expect(/Not connected/)
      const json = { mode: 'firebase', appId: product.appId, firebase }
      await page.route(`**${paths.config}`, (route) => route.fulfill({ json }))
      await openPage(page, site.url)
      const { email, status, submit } = signUp(page)
      await expect.poll(() => browserConsole.lines).toHaveLength(1)
      await expect(status).toBeEmpty()
      await submit('unconfigured@example.com')
      await expect(status).toHaveText(NO_DATABASE)
      await expect(email).toHaveValue('unconfigured@example.com')
      expect(browserConsole.lines.join()).not.toContain('unconfigured')
    })
  }
})
