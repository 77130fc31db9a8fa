import { paths } from '../../../src/shared/api.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { leftToTorture } from '../long.ts'
import { THANK_YOU } from '../page.ts'
import { expect, expectToSee, test } from './fixtures.ts'
import { expectSplashToLast, openSplash } from './splash.ts'
import type { Tab } from './tab.ts'

leftToTorture()

// One visit again, each test goes on where the one before it ended.
test.describe.configure({ mode: 'serial' })

let site: RunningSite
let tab: Tab

test.beforeAll(async ({ openTab }) => {
  site = await startSite()
  tab = await openTab({ script: false })
})
test.afterAll(async () => {
  await tab?.close()
  await site?.stop()
})

test('without script the splash lasts 5000 ms and uncovers the page', async () => {
  const seen = await openSplash(tab, site.url)
  expect(seen.splash).toMatchObject({ coversAll: true, lasts: 5000 })
  await expectSplashToLast(tab, seen)
  await expectToSee(tab, { splash: { coversAll: false }, heading: 'Coming Soon', state: 'idle' })
})

test('the form posts by itself and thanks, with nothing in the URL', async () => {
  // A key that comes while a page does is lost in it: first it is whole, then it has the focus.
  await expectToSee(tab, { isComplete: true })
  await tab.press('Tab')
  await expectToSee(tab, { focus: 'INPUT' })
  await tab.type('plain@example.com')
  await expectToSee(tab, { input: { value: 'plain@example.com' } })
  await tab.press('Enter')
  await expectToSee(tab, {
    path: paths.subscribed,
    splash: { isThere: false },
    state: 'success',
    message: THANK_YOU,
    input: { value: '', isDisabled: true },
    button: { isDisabled: true },
  })
  expect(site.subscribers()).toEqual(['plain@example.com'])
})
