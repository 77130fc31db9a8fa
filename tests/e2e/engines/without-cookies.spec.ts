import { startSite } from '../../fixtures/running-site.ts'
import { THANK_YOU } from '../page.ts'
import { expect, expectToSee, test } from './fixtures.ts'

test('a visitor whose browser blocks all cookies is thanked, and on the list', async ({
  openTab,
  engine,
}) => {
  test.skip(engine !== 'firefox', 'only Firefox can be told to')
  const site = await startSite()
  const tab = await openTab({ cookies: false, motion: false })
  await tab.open(site.url)
  await expectToSee(tab, { isInert: false, splash: { isThere: false }, isComplete: true })
  await tab.press('Tab')
  await tab.type('private@example.com')
  await tab.press('Enter')
  await expectToSee(tab, { path: '/', state: 'success', message: THANK_YOU, input: { value: '' } })
  expect(site.subscribers()).toEqual(['private@example.com'])
  expect(await tab.evaluate(() => navigator.cookieEnabled)).toBe(false)
  await tab.close()
  await site.stop()
})
