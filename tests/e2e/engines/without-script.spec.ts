import { paths } from '../../../src/shared/api.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { leftToTorture } from '../long.ts'
import { INVALID, NO_DATABASE, THANK_YOU } from '../page.ts'
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

/** A key that comes while a page does is lost in it: first it is whole, then it has the focus. */
async function focusField() {
  await expectToSee(tab, { isComplete: true })
  await tab.press('Tab')
  await expectToSee(tab, { focus: 'INPUT' })
}

test('without script the splash lasts 5000 ms and uncovers the page', async () => {
  const seen = await openSplash(tab, site.url)
  expect(seen.splash).toMatchObject({ coversAll: true, lasts: 5000 })
  await expectSplashToLast(tab, seen)
  await expectToSee(tab, { splash: { coversAll: false }, heading: 'Coming Soon', state: 'idle' })
})

test('the form posts by itself, and an invalid address comes back with the message', async () => {
  await focusField()
  await tab.type('plain')
  await expectToSee(tab, { input: { value: 'plain' } })
  await tab.press('Enter')
  await expectToSee(tab, {
    path: paths.subscribe,
    splash: { isThere: false },
    state: 'error',
    message: INVALID,
    input: { value: 'plain', isDisabled: false, isInvalid: true },
    button: { isDisabled: false },
  })
})

test('a database that is gone is said, and the address is there to be sent again', async () => {
  await site.removeData()
  await focusField()
  await tab.press('End')
  await tab.type('@example.com')
  await expectToSee(tab, { input: { value: 'plain@example.com' } })
  await tab.press('Enter')
  await expectToSee(tab, {
    state: 'error',
    message: NO_DATABASE,
    input: { value: 'plain@example.com', isInvalid: false },
  })
  await site.returnData()
})

test('it thanks, with nothing in the URL', async () => {
  await focusField()
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
